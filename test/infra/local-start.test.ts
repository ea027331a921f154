import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../support/runner.ts'

const program = fileURLToPath(new URL('../../infra/local/start.ts', import.meta.url))

let temporary: string
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'posthaste-start-'))
  return () => rm(temporary, { recursive: true, force: true })
})

/** `npm start` in a process of its own, which keeps nothing beside `temporary`. */
function start(...flags: string[]) {
  const { LOG_LEVEL: _, OPERATOR_KEY: __, ...env } = process.env
  const child = spawn(process.execPath, [program, ...flags], { env: { ...env, TMPDIR: temporary } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => (said.out += text))
  child.stderr.on('data', (text) => (said.err += text))
  return { child, said }
}

const exitCode = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number

const isHealthy = (baseUrl: string) =>
  fetch(`${baseUrl}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
const untilHealthy = (baseUrl: string) => vi.waitUntil(() => isHealthy(baseUrl), { timeout: 30_000 })

test.each([
  { flags: ['--port', 'abc'], says: /whole number/ },
  { flags: ['--port', '0'], says: /whole number/ },
  { flags: ['--prot', '4001'], says: /unknown option '--prot'/ },
  { flags: ['now'], says: /too many arguments/ },
])('$flags is refused in one line', async ({ flags, says }) => {
  const { child, said } = start(...flags)
  expect(await exitCode(child)).toBe(1)
  expect(said.err).toMatch(says)
  expect(said.err.trim()).not.toContain('\n')
})

test('a port that is taken is refused in one line', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const { child, said } = start('--in-memory', '--port', String(port))
  expect(await exitCode(child)).toBe(1)
  expect(said.err).toBe(`Port ${port} is taken: stop what listens there, or choose another with --port.\n`)
})

test('a run in memory serves the API, stops on SIGTERM, and leaves nothing behind', async () => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const { child, said } = start(
    '--in-memory',
    '--seed',
    '--port',
    String(port),
    '--operator-key',
    'op',
    '--no-rate-limit',
  )
  await untilHealthy(baseUrl)
  await vi.waitUntil(() => said.out.includes('curl'), { timeout: 30_000 })

  expect(said.out).toContain(baseUrl)
  const key = /API key +(\S+)/.exec(said.out)?.[1]
  const status = await fetch(`${baseUrl}/status`, { headers: { authorization: `Bearer ${key}` } })
  expect(await status.json()).toMatchObject({ data: { username: 'Demo workspace' } })
  const owners = await fetch(`${baseUrl}/admin/owners`, { headers: { authorization: 'Bearer op' } })
  expect(owners.status).toBe(200)

  const ended = exitCode(child)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
  expect(await isHealthy(baseUrl)).toBe(false)
})

test('a quiet run prints nothing', async () => {
  const port = await freePort()
  const { child, said } = start('--in-memory', '--quiet', '--port', String(port))
  await untilHealthy(`http://127.0.0.1:${port}`)
  const ended = exitCode(child)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(said).toEqual({ out: '', err: '' })
})
