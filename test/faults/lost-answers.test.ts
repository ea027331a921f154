import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { absent, equals } from '#shared/aws/condition.ts'
import type { Id } from '#shared/domain/id.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { dispatchDue } from '../../functions/publisher/dispatch-due.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { deliverTo, openProcess } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { type Posting, posting } from '../support/posting.ts'
import { type Fate, openWire, type Wire } from '../support/wire.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let post: Posting
const wires: Wire[] = []

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts] })
  owner = await makeOwner(world)
  post = posting(world, owner)
})

afterEach(() => {
  for (const wire of wires.splice(0)) wire.close()
})

async function wired(fateOf: (operation: string) => Fate) {
  const wire = await openWire(world, fateOf)
  wires.push(wire)
  return wire.table
}

/** The answers to these writes get lost; the SDK sends each again. */
const losing = (...writes: number[]) => {
  let count = 0
  return wired(() => (writes.includes(++count) ? 'answer lost' : 'passes'))
}

describe('a write whose answer was lost is repeated by the SDK, and', () => {
  const key = { pk: 'TEST', sk: 'ITEM' }

  test('a conditional put knows its own item', async () => {
    const table = await losing(1)
    expect(await table.commit([{ put: { ...key, of: 'mine' }, when: absent }])).toEqual({ done: true })
    expect(await world.table.get(key)).toEqual({ ...key, of: 'mine' })
  })

  test('is refused by a rival’s item, even if it is the same', async () => {
    const table = await losing()
    const outcome = await table.commit([{ put: { ...key, of: 'mine' }, when: absent }])
    expect(outcome).toEqual({ done: false, refusals: [{ ...key, of: 'mine' }] })
  })

  test('a conditional update knows its own, and nobody else’s', async () => {
    const table = await losing(1)
    const changes = { set: { of: 'theirs' }, when: equals('of', 'mine') }
    expect(await table.update(key, changes)).toEqual({ ...key, of: 'theirs' })
    expect(await table.update(key, changes)).toBeUndefined()
    expect(await world.table.get(key)).toEqual({ ...key, of: 'theirs' })
  })

  test('an update alone in a commit, too', async () => {
    const table = await losing(1)
    const update = { update: key, set: { of: 'ours' }, when: equals('of', 'theirs') }
    expect(await table.commit([update])).toEqual({ done: true })
    expect(await table.commit([update])).toMatchObject({ done: false })
  })
})

describe('of a post that is published over a bad wire', () => {
  test('any one answer may get lost: it is out in time, in one attempt, and once', async () => {
    const account = await owner.addSocial()
    for (let lost = 1; lost <= 9; lost++) {
      const id = await post.schedule([account], { text: `Lost ${lost}`, subposts: [{ text: 'One' }] })
      const services = openProcess(world, { table: await losing(lost) })
      world.clock.advance(2)
      await deliverTo(world, () => services)
      expect(await post.read(id)).toMatchObject({ status: 'published', publications: [{ attempts: 1 }] })
    }
    const items: any[] = await owner.sandbox(account)
    expect(items.map(({ text }) => text).reverse()).toEqual(
      Array.from({ length: 9 }, (_, n) => `Lost ${n + 1}`),
    )
    expect(items.every(({ replies }) => replies.length === 1)).toBe(true)
  })

  test('the sweep’s may: the job is sent all the same', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account], { seconds: 200 })
    world.clock.advance(30)
    await dispatchDue(openProcess(world, { table: await losing(1) }))
    world.clock.advance(170)
    await world.deliverJobs()
    expect(await post.read(id)).toMatchObject({ status: 'published' })
  })

  test('a worker’s may while a rival takes the same publication in the same millisecond', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const account = await owner.addSocial()
      const id = await post.schedule([account])
      world.clock.advance(2)
      await doPublishJob({ kind: 'post', post: id, hops: 0 }, world.services)
      const job = { kind: 'publication', post: id, social: account as Id<'social'>, hops: 0 } as const
      const workers = await Promise.all([1, 1, 2, 2].map((n) => losing(n)))
      await Promise.all(workers.map((table) => doPublishJob(job, openProcess(world, { table }))))
      expect(await owner.sandbox(account)).toHaveLength(1)
    }
  })
})

describe('a table that refuses for a while', () => {
  test.each(['conflict', 'throttled'] as const)(
    '%s: every write is tried again, and happens once',
    async (fate) => {
      const account = await owner.addSocial()
      const id = await post.schedule([account], { subposts: [{ text: 'One' }] })
      let count = 0
      const services = openProcess(world, { table: await wired(() => (++count % 3 ? fate : 'passes')) })
      world.clock.advance(2)
      await deliverTo(world, () => services)
      await dispatchDue(services)
      expect(await post.read(id)).toMatchObject({ status: 'published', publications: [{ attempts: 1 }] })
      expect(await owner.sandbox(account)).toMatchObject([{ replies: [{}] }])
      expect(count).toBeGreaterThan(20)
    },
  )

  test('for longer than anybody waits: the post goes out when it is back, and once', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account])
    const refusing = openProcess(world, { table: await wired(() => 'conflict') })
    world.clock.advance(2)
    await deliverTo(world, () => refusing)
    expect((await post.read(id)).status).toBe('scheduled')
    await world.pass(30)
    const published = await post.read(id)
    expect(published).toMatchObject({ status: 'published' })
    expect(published.published_at <= plusSeconds(published.scheduled_at, 20)).toBe(true)
    expect(await owner.sandbox(account)).toHaveLength(1)
  })
})
