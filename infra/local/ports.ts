import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { StartProblem } from './start-problem.ts'

export interface Ports {
  dynamodb: number
  s3: number
  sqs: number
}

/**
 * A port for each emulator: those of the last start on this folder where they are still free, so that a
 * signed URL that somebody was given before a restart still works after it.
 */
export async function choosePorts(folder: string): Promise<Ports> {
  const file = join(folder, 'ports.json')
  const last: Partial<Ports> = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}))
  const [dynamodb, s3, sqs] = await Promise.all([
    freePort(last.dynamodb),
    freePort(last.s3),
    freePort(last.sqs),
  ])
  const ports = { dynamodb, s3, sqs }
  await writeFile(file, JSON.stringify(ports))
  return ports
}

/** Says so now rather than after everything else has been started. A runner that is just ending may still have it. */
export async function refuseTakenPort(port: number): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    if ((await freePort(port)) === port) return
    await setTimeout(250)
  }
  throw new StartProblem(`Port ${port} is taken: stop what listens there, or choose another with --port.`)
}

async function freePort(preferred = 0): Promise<number> {
  const server = createServer()
  server.listen(preferred, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address ? address.port : freePort()
}
