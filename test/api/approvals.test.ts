import { beforeAll, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as plan } from '../../functions/plan/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...plan, ...posts], now: '2026-03-02T12:00:00Z' })
  owner = await makeOwner(world, { requires_approval: true, exact_slot_times: true })
})

async function submit(seconds = 60, by = owner) {
  const accounts = [await by.addSocial()]
  const scheduled_at = plusSeconds(world.clock.now(), seconds)
  const reply = await by.call('POST', '/posts', {
    text: 'Hello',
    accounts,
    status: 'scheduled',
    scheduled_at,
  })
  expect(reply).toMatchObject({ status: 201, body: { data: { status: 'pending_approval', scheduled_at } } })
  return reply.body.data
}

const decide = (id: string, decision: 'approve' | 'reject', body?: object, of = owner) =>
  world.operator('POST', `/admin/owners/${of.id}/posts/${id}/${decision}`, body)
const change = (id: string, fields: object) => owner.call('PATCH', `/posts/${id}`, fields)
const waiting = async (of: OwnerInWorld) =>
  (await world.operator('GET', `/admin/owners/${of.id}/approvals`)).body.data

test('an approved post goes out at its time, and not before it is approved', async () => {
  const post = await submit(10)
  await world.pass(5)
  expect(await decide(post.id, 'approve')).toMatchObject({
    status: 200,
    body: { data: { status: 'scheduled', approval: { status: 'approved', decided_at: world.clock.now() } } },
  })
  expect(await owner.sandbox(post.accounts[0].id)).toEqual([])
  await world.pass(6)
  expect(await owner.sandbox(post.accounts[0].id)).toHaveLength(1)
})

test('a post that is approved after its time goes out at once, however late', async () => {
  const post = await submit(10)
  await world.pass(4 * 3_600, 600)
  expect(await owner.sandbox(post.accounts[0].id)).toEqual([])
  await decide(post.id, 'approve')
  await world.deliverJobs()
  expect((await owner.call('GET', `/posts/${post.id}`)).body.data.status).toBe('published')
})

test('a rejected post is a draft with the reason on it', async () => {
  const post = await submit()
  expect(await decide(post.id, 'reject', { reason: 'The link is wrong' })).toMatchObject({
    status: 200,
    body: {
      data: {
        status: 'draft',
        scheduled_at: null,
        slot_id: null,
        approval: { status: 'rejected', reason: 'The link is wrong', decided_at: world.clock.now() },
      },
    },
  })
  expect(await decide((await submit()).id, 'reject')).toMatchObject({
    status: 200,
    body: { data: { status: 'draft' } },
  })
})

test('what is changed after its approval needs it again, save labels and notes', async () => {
  const { id } = await submit(600)
  await decide(id, 'approve')
  expect((await change(id, { notes: 'Nice' })).body.data.status).toBe('scheduled')
  expect((await change(id, { text: 'Something else' })).body.data).toMatchObject({
    status: 'pending_approval',
    approval: { status: 'pending' },
  })
})

test.each(['approve', 'reject'] as const)(
  'only what waits for approval can be decided: %s',
  async (decision) => {
    const message = 'Post is not pending approval'
    const draft = await owner.call('POST', '/posts', { text: 'Hello' })
    expect(await decide(draft.body.data.id, decision)).toMatchObject({ status: 409, body: { message } })
    const { id } = await submit()
    await decide(id, 'approve')
    expect(await decide(id, decision)).toMatchObject({ status: 409, body: { message } })
    expect(await decide('post_nothing', decision)).toMatchObject({
      status: 404,
      body: { message: 'Post not found' },
    })
    const other = await makeOwner(world)
    expect(await decide((await submit()).id, decision, undefined, other)).toMatchObject({ status: 404 })
  },
)

test('the list shows what waits, newest first, with an exact total', async () => {
  const lister = await makeOwner(world, { requires_approval: true })
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift((await submit(600 + n, lister)).id)
    world.clock.advance(1)
  }
  await decide(ids[0]!, 'approve', undefined, lister)
  await decide(ids[1]!, 'reject', undefined, lister)
  await lister.call('DELETE', `/posts/${ids[2]}`)
  expect(await waiting(lister)).toMatchObject({ total: 2, items: [{ id: ids[3] }, { id: ids[4] }] })
  await lister.call('PATCH', `/posts/${ids[3]}`, { status: 'draft' })
  expect(await waiting(lister)).toMatchObject({ total: 1, items: [{ id: ids[4] }] })
})

test('two who decide at once: one decision stands', async () => {
  const { id } = await submit()
  const replies = await Promise.all([decide(id, 'approve'), decide(id, 'reject'), decide(id, 'approve')])
  expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
})

test('a post that waits for approval holds its occurrence; a rejected one frees it', async () => {
  const planner = await makeOwner(world, { requires_approval: true, exact_slot_times: true })
  const slot = { week_day: 1, start_time: '09:00', end_time: '10:00' }
  await planner.call('POST', '/plan/slots', { ...slot, recurrence: { interval: 'weekly', repeat_every: 1 } })
  const drafts = await Promise.all(
    [1, 2, 3].map(async () => {
      const fields = { text: 'Hello', accounts: [await planner.addSocial()] }
      return (await planner.call('POST', '/posts', fields)).body.data.id as string
    }),
  )
  const assign = async (id: string) =>
    (await planner.call('POST', '/plan/assign-next', { post_ids: [id] })).body.data.items[0].data
  expect(await assign(drafts[0]!)).toMatchObject({
    status: 'pending_approval',
    scheduled_at: '2026-03-09T09:00:00.000Z',
  })
  expect(await assign(drafts[1]!)).toMatchObject({ scheduled_at: '2026-03-16T09:00:00.000Z' })
  await decide(drafts[0]!, 'reject', undefined, planner)
  expect(await assign(drafts[2]!)).toMatchObject({ scheduled_at: '2026-03-09T09:00:00.000Z' })
})
