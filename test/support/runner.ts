/** `npm start` in a process of its own, on a free port and with a data folder of its own, and plain HTTP to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')
const operatorKey = 'operator-key-of-the-journeys'

export type Runner = Awaited<ReturnType<typeof startRunner>>

export async function startRunner() {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-journey-'))
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined

  async function start() {
    const { LOG_LEVEL: _, OPERATOR_KEY: __, ...env } = process.env
    const flags = ['--port', String(port), '--operator-key', operatorKey, '--quiet']
    child = spawn('npm', ['start', '--', ...flags], {
      cwd: root,
      env: { ...env, POSTHASTE_DATA: folder },
      stdio: 'ignore',
      detached: true,
    })
    await vi.waitUntil(isHealthy, { timeout: 60_000, interval: 50 })
  }

  const isHealthy = () =>
    fetch(`${baseUrl}/health`).then(
      ({ ok }) => ok,
      () => false,
    )

  /** Ends the runner and all that npm put around it, without warning. */
  async function kill() {
    if (!child?.pid || child.exitCode !== null) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await ended
  }

  onTestFinished(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  await start()

  async function call(key: string, method: string, path: string, body?: unknown) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as any }
  }

  return {
    baseUrl,
    start,
    kill,
    /** Ends npm alone, without warning. */
    killNpm: () => void child?.kill('SIGKILL'),
    isHealthy,
    call,
    operator: (method: string, path: string, body?: unknown) => call(operatorKey, method, path, body),
  }
}

/** An owner with a key, made over HTTP. */
export async function makeOwnerAt(runner: Runner) {
  const { body: owner } = await runner.operator('POST', '/admin/owners', { type: 'user', name: 'Traveller' })
  const { id } = owner.data
  const { body: key } = await runner.operator('POST', `/admin/owners/${id}/keys`, { name: 'Journey' })
  const call = (method: string, path: string, body?: unknown) => runner.call(key.data.key, method, path, body)
  return {
    call,
    async addSocial(fields: Record<string, unknown> = {}): Promise<string> {
      const social = { provider_type: 'mastodon', display_name: 'Account', sandbox: true, ...fields }
      return (await runner.operator('POST', `/admin/owners/${id}/socials`, social)).body.data.id
    },
    sandbox: async (social: string) =>
      (await runner.operator('GET', `/admin/owners/${id}/socials/${social}/sandbox`)).body.data.items,
    /** The post, once it is no longer on its way. */
    finished: (post: string) =>
      vi.waitUntil(
        async () => {
          const { data } = (await call('GET', `/posts/${post}`)).body
          return ['published', 'failed'].includes(data.status) ? data : undefined
        },
        { timeout: 90_000, interval: 200 },
      ),
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
