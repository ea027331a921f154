/** Requests and capacity units of each endpoint, counted at the wire, the API key's read included. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'aws-lambda'
import { plusSeconds } from '#shared/domain/instant.ts'
import { api } from '#shared/edge/api.ts'
import { readEnv } from '#shared/env.ts'
import { openServices } from '#shared/services.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { dispatchDue } from '../../functions/publisher/dispatch-due.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { routes as service } from '../../functions/service/api.ts'
import { routes as socials } from '../../functions/socials/api.ts'
import { startEmulators } from '../../infra/local/emulators.ts'
import { createTable } from '../../infra/local/provision.ts'
import { httpEvent } from '../support/event.ts'
import { heldClock, heldQueue } from '../support/held.ts'
import { openWire, type Usage } from './wire.ts'

const routes = [...service, ...posts, ...labels, ...socials, ...admin]
const folder = await mkdtemp(join(tmpdir(), 'posthaste-bench-'))
const emulators = await startEmulators({ folder })
await createTable(emulators.endpoints.dynamodb, 'bench')
const wire = await openWire(emulators.endpoints.dynamodb)

const clock = heldClock('2026-03-01T12:00:00Z')
const queue = heldQueue(clock)
const operatorKey = 'operator-key-of-the-bench'
const env = {
  ...readEnv({}),
  tableName: 'bench',
  operatorKey,
  endpoints: { ...emulators.endpoints, dynamodb: wire.endpoint },
}
const services = openServices(env, { clock, publishQueue: queue })
const handler = api(routes, () => services)

async function call(key: string, method: string, path: string, body?: unknown) {
  const reply = await handler(httpEvent(routes, { method, path, body, key }), {} as Context)
  if ((reply.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${reply.body}`)
  return JSON.parse(reply.body ?? '{}').data
}
const operator = (method: string, path: string, body?: unknown) => call(operatorKey, method, path, body)

const owner = await operator('POST', '/admin/owners', { type: 'workspace', name: 'Bench' })
const { key } = await operator('POST', `/admin/owners/${owner.id}/keys`, { name: 'Bench' })
const own = (method: string, path: string, body?: unknown) => call(key, method, path, body)
const addSocial = () =>
  operator('POST', `/admin/owners/${owner.id}/socials`, {
    provider_type: 'mastodon',
    display_name: 'Bench',
    sandbox: true,
  })

const label = await own('POST', '/labels', { title: 'One' })
const secondLabel = await own('POST', '/labels', { title: 'Two' })
const [account, secondAccount] = [await addSocial(), await addSocial()]
// 1.5 KB as they are stored, as the budgets have it.
const draft = {
  text: 'x'.repeat(400),
  labels: [label.id, secondLabel.id],
  accounts: [account.id, secondAccount.id],
}
for (let n = 0; n < 100; n++) await own('POST', '/posts', draft)
const { id: post } = await own('POST', '/posts', draft)

const measured: Record<string, Usage> = {}
async function measure(name: string, work: () => Promise<unknown>) {
  // Half a minute later no process knows the key any more: every count includes its read.
  clock.advance(60)
  measured[name] = await wire.count(work)
}

await measure('GET /status', () => own('GET', '/status'))
await measure('GET /posts (20 of 101)', () => own('GET', '/posts'))
await measure('GET /posts/{id}', () => own('GET', `/posts/${post}`))
await measure('POST /posts (2 labels, 2 accounts)', () => own('POST', '/posts', draft))
await measure('PATCH /posts/{id} (text)', () => own('PATCH', `/posts/${post}`, { text: 'New' }))
const soon = () => ({ status: 'scheduled', scheduled_at: plusSeconds(clock.now(), 5) })
await measure('PATCH /posts/{id} (schedule)', () => own('PATCH', `/posts/${post}`, soon()))
await measure('publishing: take the post', async () => {
  clock.advance(5)
  for (const { body } of queue.take()) await doPublishJob(body as never, services)
})
const [first, ...others] = queue.take()
await measure('publishing: one account', () => doPublishJob(first?.body as never, services))
await measure('publishing: the last account', async () => {
  for (const { body } of others) await doPublishJob(body as never, services)
})
await measure('tick (nothing due)', () => dispatchDue(services))
const { id: doomed } = await own('POST', '/posts', draft)
await measure('DELETE /posts/{id}', () => own('DELETE', `/posts/${doomed}`))
await measure('GET /labels (2)', () => own('GET', '/labels'))
await measure('GET /labels/{id}', () => own('GET', `/labels/${label.id}`))
await measure('POST /labels', () => own('POST', '/labels', { title: 'Three' }))
await measure('PATCH /labels/{id}', () => own('PATCH', `/labels/${label.id}`, { title: 'Four' }))
await measure('DELETE /labels/{id}', () => own('DELETE', `/labels/${label.id}`))
await measure('GET /socials (2)', () => own('GET', '/socials'))
await measure('GET /socials/{id}', () => own('GET', `/socials/${account.id}`))

if (process.argv.includes('--json')) console.log(JSON.stringify(measured, null, 2))
else console.table(measured)

wire.close()
await emulators.stop()
await rm(folder, { recursive: true })
