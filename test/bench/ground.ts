/** Where every suite measures: the services on an emulator, behind a wire that counts, with one owner who calls. */
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import type { Context } from 'aws-lambda'
import { openTable } from '#shared/aws/table.ts'
import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { api } from '#shared/edge/api.ts'
import { readEnv } from '#shared/env.ts'
import { openServices } from '#shared/services.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as plan } from '../../functions/plan/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { routes as service } from '../../functions/service/api.ts'
import { routes as socials } from '../../functions/socials/api.ts'
import { dynamodbClient } from '../../infra/local/aws-clients.ts'
import { startDynamodb } from '../../infra/local/dynamodb-emulator.ts'
import { choosePorts } from '../../infra/local/ports.ts'
import { createTable } from '../../infra/local/provision.ts'
import { httpEvent } from '../support/event.ts'
import { heldClock, heldQueue } from '../support/held.ts'
import { openWire, type Usage } from './wire.ts'

export type Ground = Awaited<ReturnType<typeof openGround>>

const tableName = 'bench'
const operatorKey = 'operator-key-of-the-bench'
const routes = [...service, ...posts, ...labels, ...socials, ...plan, ...admin]

/** Measures on a ground of its own, of which nothing is left behind. */
export async function onGround<Answer>(work: (ground: Ground) => Promise<Answer>): Promise<Answer> {
  const ground = await openGround()
  try {
    return await work(ground)
  } finally {
    await ground.close()
  }
}

async function openGround() {
  // In memory where the system has a folder for that: the emulator then writes twice as fast.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'posthaste-bench-'))
  const sweep = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', sweep)
  const ports = await choosePorts(folder)
  const emulator = await startDynamodb(folder, ports.dynamodb)
  const endpoint = `http://127.0.0.1:${ports.dynamodb}`
  await createTable(endpoint, tableName)
  await endStream(endpoint)
  const wire = await openWire(endpoint)
  const clock = heldClock('2026-03-01T12:00:00Z')
  const queue = heldQueue(clock)

  /** The API and its services, by way of this endpoint. */
  function openApi(through: string) {
    const env = {
      ...readEnv({}),
      tableName,
      operatorKey,
      endpoints: { dynamodb: through, s3: '', sqs: '' },
    }
    const services = openServices(env, { clock, publishQueue: queue })
    const handler = api(routes, () => services)
    return {
      services,
      async call(key: string, method: string, path: string, body?: unknown) {
        const reply = await handler(httpEvent(routes, { method, path, body, key }), {} as Context)
        if ((reply.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${reply.body}`)
        return JSON.parse(reply.body ?? '{}').data
      },
    }
  }

  const { services, call } = openApi(wire.endpoint)
  const operator = (method: string, path: string, body?: unknown) => call(operatorKey, method, path, body)
  const { id } = await operator('POST', '/admin/owners', { type: 'workspace', name: 'Bench' })
  const { key } = await operator('POST', `/admin/owners/${id}/keys`, { name: 'Bench' })
  const own = (method: string, path: string, body?: unknown) => call(key, method, path, body)

  return {
    tableName,
    /** DynamoDB itself, past the wire. */
    endpoint,
    wire,
    clock,
    queue,
    services,
    openApi,
    /** The table by way of the wire, for the controls. */
    table: openTable({ tableName, endpoint: wire.endpoint, random: Math.random, pause }),
    operator,
    key: key as string,
    ownerId: id as Id<'owner'>,
    owner: ownerCodeOf(id),
    /** The owner calls. */
    own,
    /** What the work uses in a process that does not know the key; when the key was used is noted already. */
    async measure<Answer>(work: () => Promise<Answer>): Promise<Usage & { answer: Answer }> {
      clock.advance(3_601)
      await own('GET', '/status')
      clock.advance(31)
      return wire.count(work)
    },
    async close() {
      wire.close()
      await emulator.stop()
      sweep()
      process.off('exit', sweep)
    },
  }
}

/** Nobody reads it here, and the emulator writes three times as fast without. */
async function endStream(endpoint: string): Promise<void> {
  const client = dynamodbClient(endpoint)
  const StreamSpecification = { StreamEnabled: false }
  await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }))
  client.destroy()
}
