import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { endLeftover } from './leftover.ts'
import { StartProblem } from './start-problem.ts'

export interface DynamodbEmulator {
  /** Settles, with a line that says so, when it has ended by itself. */
  broken: Promise<string>
  stop(): Promise<void>
}

interface ServeOptions {
  database: string
  port: number
  pidFile: string
}

/** Ends a dynoxide that a killed runner left behind: it has the data in `folder`, and a port. */
export const endLeftDynamodb = (folder: string): Promise<void> =>
  endLeftover(pidFileIn(folder), databaseIn(folder))

/** Starts dynoxide with its data in `folder`. It ends when this process does, however that comes about. */
export async function startDynamodb(folder: string, port: number): Promise<DynamodbEmulator> {
  const database = databaseIn(folder)
  const pidFile = pidFileIn(folder)
  const binary = findBinary()

  if (!addStreamIndex(database)) {
    const first = await serve(binary, { database, port, pidFile })
    await first.stop()
    addStreamIndex(database)
  }
  return serve(binary, { database, port, pidFile })
}

const databaseIn = (folder: string) => join(folder, 'dynamodb.db')
const pidFileIn = (folder: string) => join(folder, 'dynoxide.pid')

function findBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')
  } catch {
    throw new StartProblem(
      `The DynamoDB emulator is not installed: run "npm install --no-save ${name}@1.2.1", or set DYNAMODB_ENDPOINT.`,
    )
  }
}

async function serve(binary: string, { database, port, pidFile }: ServeOptions): Promise<DynamodbEmulator> {
  const options = ['serve', '--port', String(port), '--db-path', database]
  // The background shell reads a pipe that nobody writes to: its end is ours, and it ends dynoxide.
  const withWatch = '(read -r _ <&3; kill "$$" 2>/dev/null) >/dev/null 2>&1 & exec "$0" "$@" 3<&-'
  // A group of its own, so that Ctrl-C leaves it running until the last request has been answered.
  const child = spawn('/bin/sh', ['-c', withWatch, binary, ...options], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').catch(() => undefined)
  // The shell that watches keeps its end until ours is closed, and we would wait for it for ever.
  void exited.then(() => child.stdio[3]?.destroy())
  if (child.pid) writeFileSync(pidFile, String(child.pid))

  const said = await firstWords(child.stderr)
  if (!said.includes('listening'))
    throw new StartProblem(`The DynamoDB emulator did not start: ${said || binary}`)

  const broken = Promise.withResolvers<string>()
  const tell = () =>
    broken.resolve('The DynamoDB emulator has ended: start again, nothing that was saved is lost.')
  child.once('exit', tell)
  return {
    broken: broken.promise,
    async stop() {
      child.off('exit', tell)
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child.kill('SIGKILL'), 3000)
      await exited
      clearTimeout(impatience)
      await rm(pidFile, { force: true })
    },
  }
}

/** The line in which it says that it listens, or why it does not. */
async function firstWords(output: Readable | null): Promise<string> {
  if (!output) return ''
  const words = new Promise<string>((resolve) => {
    output.once('data', (text) => resolve(String(text).trim()))
    output.once('end', () => resolve(''))
  })
  return words.finally(() => output.resume())
}

/**
 * Without this index every write reads all stream records before it, and slows down with each of them. False when
 * dynoxide has yet to make its tables in the file.
 */
function addStreamIndex(database: string): boolean {
  const file = new DatabaseSync(database)
  try {
    if (!file.prepare("SELECT 1 FROM sqlite_master WHERE name = '_stream_records'").get()) return false
    file.exec(`CREATE INDEX IF NOT EXISTS stream_records_in_order
      ON _stream_records(table_name, CAST(sequence_number AS INTEGER))`)
    return true
  } finally {
    file.close()
  }
}
