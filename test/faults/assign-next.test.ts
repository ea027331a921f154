import type { Context } from 'aws-lambda'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Table } from '#shared/aws/table.ts'
import type { Holding } from '#shared/domain/holding.ts'
import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { secondsBetween } from '#shared/domain/instant.ts'
import { occurrencesAfter } from '#shared/domain/occurrence.ts'
import type { Post } from '#shared/domain/post.ts'
import { api } from '#shared/edge/api.ts'
import type { Services } from '#shared/services.ts'
import { planPartition } from '#shared/store/layout.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as plan } from '../../functions/plan/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { httpEvent } from '../support/event.ts'
import { type Around, dawdling, openProcess, seeded } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels, ...plan, ...posts], now: '2026-03-01T12:00:00Z' })
})

type Planner = Awaited<ReturnType<typeof makePlanner>>

/** An owner with three slots, some of whose occurrences begin together, and with drafts. */
async function makePlanner(drafts: number, settings: Record<string, unknown> = {}) {
  const owner = await makeOwner(world, { exact_slot_times: true, ...settings })
  const times = [
    {
      week_day: 1,
      start_time: '09:00',
      end_time: '10:00',
      recurrence: { interval: 'weekly', repeat_every: 1 },
    },
    {
      week_day: 1,
      start_time: '09:00',
      end_time: '09:30',
      recurrence: { interval: 'daily', repeat_every: 2 },
    },
    {
      week_day: 3,
      start_time: '00:30',
      end_time: '23:59',
      recurrence: { interval: 'monthly', repeat_every: 1 },
    },
  ]
  for (const fields of times) await owner.call('POST', '/plan/slots', { ...fields, timezone: 'Europe/Paris' })
  const account = await owner.addSocial()
  const ids: Id<'post'>[] = []
  while (ids.length < drafts) {
    const create = () => owner.call('POST', '/posts', { text: 'Hello', accounts: [account] })
    const replies = await Promise.all(Array.from({ length: Math.min(20, drafts - ids.length) }, create))
    ids.push(...replies.map(({ body }) => body.data.id))
  }
  return {
    owner,
    code: ownerCodeOf(owner.id as Id<'owner'>),
    ids,
    slots: await world.services.slots.listAll(ownerCodeOf(owner.id as Id<'owner'>)),
  }
}

/** One caller's process calls assign-next. */
async function assign(services: Services, owner: OwnerInWorld, post_ids: string[]) {
  const event = httpEvent(plan, {
    method: 'POST',
    path: '/plan/assign-next',
    key: owner.key,
    body: { post_ids },
  })
  const { statusCode = 0, body = '' } = await api(plan, () => services)(event, {} as Context)
  return {
    status: statusCode,
    items: JSON.parse(body).data?.items as { success: boolean; data: any }[] | undefined,
  }
}

/** The table, and how often it was asked to put posts into occurrences, and how often it did. */
function countingTable(table: Table) {
  const transactions = { attempted: 0, done: 0 }
  const counting: Table = {
    ...table,
    async commit(writes) {
      const assigns = writes.some((write) => 'put' in write && 'slot_id' in write.put && 'date' in write.put)
      if (assigns) transactions.attempted += 1
      const result = await table.commit(writes)
      if (assigns && result.done) transactions.done += 1
      return result
    },
  }
  return { table: counting, transactions }
}

/** The posts in the order of the IDs; undefined where there is none. In batches: hundreds of requests at once are too many. */
async function readPosts(ids: Id<'post'>[]): Promise<(Post | undefined)[]> {
  const found = await world.services.posts.findMany(ids, { consistent: true })
  return ids.map((id) => found.find((post) => post.id === id))
}

/** `<slot> <start>` of the plan's first so many occurrences. */
const firstOccurrences = ({ slots }: Planner, count: number): string[] =>
  slots
    .flatMap((slot) => [...occurrencesAfter(slot, world.clock.now()).take(count)])
    .map(({ slot_id, start }) => `${start} ${slot_id}`)
    .sort()
    .slice(0, count)

/**
 * Every post holds an occurrence of its own; together they hold the first ones of the plan, none left out: so each
 * got what was the earliest free one in some order of the callers. The rows say the same.
 */
async function expectFirstTaken(planner: Planner, ids: Id<'post'>[], status = 'scheduled') {
  const found = await readPosts(ids)
  expect(found.map((post) => post?.status)).toEqual(ids.map(() => status))
  const held = found.map((post) => `${post?.scheduled_at} ${post?.slot_id}`)
  expect(held.toSorted()).toEqual(firstOccurrences(planner, ids.length))
  await expectRowsOf(planner, found)
}

/** The rows of taken occurrences name these posts, each where it is, and nothing else. */
async function expectRowsOf(planner: Planner, holders: (Post | undefined)[]) {
  const { items } = await world.table.query({ pk: planPartition(planner.code), before: 'OWNER' })
  const rows = items.map((item) => item as unknown as Holding)
  expect(rows.map(({ slot_id, date, post_id }) => `${slot_id} ${date} ${post_id}`).sort()).toEqual(
    holders.map((post) => `${post?.slot_id} ${post?.slot_date} ${post?.id}`).sort(),
  )
}

describe('sixty-four callers at once', () => {
  test.each([
    { seed: 1, postsEach: 1 },
    { seed: 3, postsEach: 10 },
  ])(
    'with $postsEach posts each hold the first occurrences of the plan (seed $seed)',
    async ({ seed, postsEach }) => {
      const callers = 64
      const planner = await makePlanner(callers * postsEach)
      const random = seeded(seed)
      const { table, transactions } = countingTable(world.table)
      const replies = await Promise.all(
        Array.from({ length: callers }, (_, caller) => {
          const services = openProcess(world, { table, around: dawdling(random, 7) })
          const own = planner.ids.slice(caller * postsEach, (caller + 1) * postsEach)
          return assign(services, planner.owner, own)
        }),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      expect(replies.flatMap(({ items }) => items?.map(({ success }) => success))).toEqual(
        planner.ids.map(() => true),
      )
      await expectFirstTaken(planner, planner.ids)
      // Each caller's posts lie in the order of its request.
      for (const { items = [] } of replies) {
        const times: string[] = items.map(({ data }) => data.scheduled_at)
        expect(times).toEqual(times.toSorted())
      }
      // In turn, hardly anybody loses a race.
      expect(transactions.attempted / transactions.done).toBeLessThanOrEqual(1.5)
    },
  )
})

/** Callers whose waiting takes no time of ours: the held clock moves on instead, or does not. */
const waiting = (pause: Services['pause'], around?: Around): Services => ({
  ...openProcess(world, around ? { around } : {}),
  pause,
})
const clockMovesOn: Services['pause'] = async (milliseconds) => world.clock.advance(milliseconds / 1000)

/** A process that is killed when it is about to commit for the n-th time. What it has sent before still arrives. */
function dyingAtCommit(n: number) {
  const sent: Promise<unknown>[] = []
  let commits = 0
  let dead = false
  const around: Around = (verb, call) => {
    if (verb === 'commit') commits += 1
    dead ||= commits === n
    if (dead) return Promise.reject(new Error('The process is dead'))
    const answer = call()
    sent.push(answer)
    return answer
  }
  return { services: openProcess(world, { around }), arrived: () => Promise.allSettled(sent) }
}

describe('a caller that is killed while the others wait for it', () => {
  test('holds them up until its lease ends, and no longer', async () => {
    const planner = await makePlanner(10)
    const [lost, next, ...others] = planner.ids
    const dying = dyingAtCommit(1)
    expect((await assign(dying.services, planner.owner, [lost!])).status).toBe(500)
    const before = world.clock.now()
    const replies = [await assign(waiting(clockMovesOn), planner.owner, [next!])]
    const waited = secondsBetween(before, world.clock.now())
    expect(waited).toBeGreaterThan(10)
    expect(waited).toBeLessThan(11)
    replies.push(...(await Promise.all(others.map((id) => assign(openProcess(world), planner.owner, [id])))))
    expect(replies.map(({ items }) => items?.[0]?.success)).toEqual([next, ...others].map(() => true))
    await expectFirstTaken(planner, [next!, ...others])
    expect((await world.services.posts.find(lost!))?.status).toBe('draft')
  })

  test.each([1, 2])(
    'and whose lease never ends: they go ahead all the same, and share (seed %i)',
    async (seed) => {
      const planner = await makePlanner(17)
      const [lost, ...others] = planner.ids
      const dying = dyingAtCommit(1)
      expect((await assign(dying.services, planner.owner, [lost!])).status).toBe(500)
      const random = seeded(seed)
      let longest = 0
      const replies = await Promise.all(
        others.map((id) => {
          let waited = 0
          const pause: Services['pause'] = async (milliseconds) => {
            waited += milliseconds
            longest = Math.max(longest, waited)
            await new Promise((resume) => setTimeout(resume, milliseconds / 10))
          }
          return assign(waiting(pause, dawdling(random, 3)), planner.owner, [id])
        }),
      )
      expect(longest).toBeGreaterThan(12_000)
      expect(longest).toBeLessThan(20_000)
      expect(replies.map(({ items }) => items?.[0]?.success)).toEqual(others.map(() => true))
      await expectFirstTaken(planner, others)
    },
  )
})

describe('a caller that is killed between two transactions', () => {
  test.each([
    { settings: {}, status: 'scheduled' },
    { settings: { requires_approval: true }, status: 'pending_approval' },
  ])('has its posts $status or drafts, and a repeat finishes it', async ({ settings, status }) => {
    const planner = await makePlanner(50, settings)
    const dying = dyingAtCommit(2)
    expect((await assign(dying.services, planner.owner, planner.ids)).status).toBe(500)
    await dying.arrived()
    const statuses = (await readPosts(planner.ids)).map((post) => post?.status)
    const committed = statuses.filter((one) => one === status).length
    expect(committed).toBeGreaterThan(0)
    expect(statuses).toEqual(planner.ids.map((_, index) => (index < committed ? status : 'draft')))
    expect(committed).toBeLessThan(50)

    const { items = [] } = await assign(waiting(clockMovesOn), planner.owner, planner.ids)
    expect(items.map(({ success }) => success)).toEqual(statuses.map((one) => one === 'draft'))
    await expectFirstTaken(planner, planner.ids, status)
  })
})

describe('posts that change while they are assigned', () => {
  /** Does something right before the first transaction of the process. */
  function beforeFirstCommit(deed: () => Promise<unknown>): Services {
    let done = false
    return openProcess(world, {
      around: async (verb, call) => {
        if (verb === 'commit' && !done) {
          done = true
          await deed()
        }
        return call()
      },
    })
  }

  test('one that is deleted is not found, and the others move up', async () => {
    const planner = await makePlanner(3)
    const services = beforeFirstCommit(() => planner.owner.call('DELETE', `/posts/${planner.ids[0]}`))
    const { items } = await assign(services, planner.owner, planner.ids)
    expect(items).toMatchObject([
      { success: false, data: null, message: 'Post not found' },
      { success: true },
      { success: true },
    ])
    await expectFirstTaken(planner, planner.ids.slice(1))
  })

  test('one that is scheduled meanwhile stays as it is, and one that is edited keeps the edit', async () => {
    const planner = await makePlanner(3)
    const services = beforeFirstCommit(async () => {
      await planner.owner.call('PATCH', `/posts/${planner.ids[0]}`, {
        status: 'scheduled',
        scheduled_at: '2026-12-01T09:00:00Z',
      })
      await planner.owner.call('PATCH', `/posts/${planner.ids[1]}`, { text: 'Edited' })
    })
    const { items } = await assign(services, planner.owner, planner.ids)
    expect(items).toMatchObject([
      { success: false, message: 'Post is already scheduled' },
      { success: true, data: { text: 'Edited' } },
      { success: true },
    ])
    await expectFirstTaken(planner, planner.ids.slice(1))
  })

  test('the same posts by eight callers at once: each is assigned once', async () => {
    const planner = await makePlanner(5)
    const random = seeded(5)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        assign(openProcess(world, { around: dawdling(random) }), planner.owner, planner.ids),
      ),
    )
    for (const [index] of planner.ids.entries()) {
      const outcomes = replies.map(({ items }) => items?.[index])
      expect(outcomes.filter((one) => one?.success)).toHaveLength(1)
      for (const one of outcomes)
        if (!one?.success) expect(one).toMatchObject({ message: 'Post is already scheduled' })
    }
    await expectFirstTaken(planner, planner.ids)
  })

  test('while their holders let go, by drafts and deletion: nothing is held twice, and rows are those of the posts', async () => {
    const planner = await makePlanner(40)
    const random = seeded(11)
    const [early, late] = [planner.ids.slice(0, 20), planner.ids.slice(20)]
    await assign(world.services, planner.owner, early)
    const process = () => openProcess(world, { around: dawdling(random, 5) })
    const services = process()
    const door = api(posts, () => services)
    const letGo = (id: string, index: number) =>
      door(
        httpEvent(posts, {
          method: index % 2 ? 'DELETE' : 'PATCH',
          path: `/posts/${id}`,
          key: planner.owner.key,
          ...(index % 2 ? {} : { body: { status: 'draft' } }),
        }),
        {} as Context,
      )
    await Promise.all([...early.map(letGo), ...late.map((id) => assign(process(), planner.owner, [id]))])
    const found = await readPosts(planner.ids)
    const holders = found.filter((post) => post?.status === 'scheduled')
    expect(holders.map((post) => post?.id)).toEqual(late)
    await expectRowsOf(planner, holders)
  })
})
