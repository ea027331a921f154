import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { dispatchDue } from '../../functions/publisher/dispatch-due.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { type Around, dawdling, deliverTo, openProcess, seeded, tableAround } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { type Posting, posting } from '../support/posting.ts'
import { type HttpReply, openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let post: Posting
/** What the callers' process does at each call of the table. */
let atEachCall: Around = (_, call) => call()

beforeAll(async () => {
  world = await openWorld({
    routes: [...admin, ...posts, ...labels],
    around: (table) => tableAround(table, (verb, call) => atEachCall(verb, call)),
  })
  owner = await makeOwner(world)
  post = posting(world, owner)
})

describe('workers that meet over one job', () => {
  test.each([1, 2, 3, 4])('ten at once send it once (seed %i)', async (seed) => {
    const random = seeded(seed)
    const account = await owner.addSocial({ sandbox_behavior: seed % 2 ? 'publish' : 'slow' })
    const id = await post.schedule([account], { subposts: [{ text: 'One' }] })
    world.clock.advance(2)
    const workers = Array.from({ length: 10 }, () => openProcess(world, { around: dawdling(random) }))
    const all = (job: PublishJob) => Promise.all(workers.map((services) => doPublishJob(job, services)))
    await all({ kind: 'post', post: id, hops: 0 })
    for (let round = 0; round < 3; round++) {
      await all({ kind: 'publication', post: id, social: account as Id<'social'>, hops: 0 })
      world.clock.advance(3)
    }
    await world.pass(20, 5)
    expect(await post.read(id)).toMatchObject({ status: 'published', publications: [{ attempts: 1 }] })
    expect(await owner.sandbox(account)).toMatchObject([{ replies: [{ text: 'One' }] }])
  })

  test('every job is delivered twice at once, by two sweeps at once', async () => {
    const behaviors = ['publish', 'slow', 'fail_once', 'rate_limited_once', 'crash_after_publish']
    const accounts = await Promise.all(
      behaviors.map((sandbox_behavior) => owner.addSocial({ sandbox_behavior })),
    )
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post.schedule(accounts, { text: `Twice ${index}`, subposts: [{ text: 'One' }], seconds: 190 }),
      ),
    )
    const random = seeded(7)
    const workers = Array.from({ length: 4 }, () => openProcess(world, { around: dawdling(random, 2) }))
    const anyOfThem = () => workers[Math.floor(random() * workers.length)]!
    for (const seconds of [150, 40, 2, 2, 2, 3, 3, 5, 10, 15, 30]) {
      world.clock.advance(seconds)
      await Promise.all(workers.slice(0, 2).map((services) => dispatchDue(services)))
      await deliverTo(world, anyOfThem, 2)
    }
    for (const id of ids) expect((await post.read(id)).status).toBe('published')
    for (const account of accounts) {
      const items: any[] = await owner.sandbox(account)
      expect(new Set(items.map(({ text }) => text)).size).toBe(ids.length)
      expect(items).toHaveLength(ids.length)
      expect(items.every(({ replies }) => replies.length === 1)).toBe(true)
    }
  })
})

describe('a caller who meets the publisher', () => {
  const seeds = Array.from({ length: 24 }, (_, index) => index + 1)

  /** The caller and the publisher at once, many times over, each time with other delays. */
  async function race(call: (id: Id<'post'>, seed: number) => Promise<HttpReply>) {
    const account = await owner.addSocial()
    const ids = await Promise.all(seeds.map((seed) => post.schedule([account], { text: `Before ${seed}` })))
    world.clock.advance(2)
    const random = seeded(1)
    atEachCall = dawdling(random, 12)
    const replies = await Promise.all(
      ids.map(async (id, index) => {
        const seed = seeds[index]!
        const services = openProcess(world, { around: dawdling(seeded(100 + seed), 12) })
        const publish = () => doPublishJob({ kind: 'post', post: id, hops: 0 }, services)
        // The first clearly before the claim, the second clearly after it, the others whenever they happen to be.
        const early = seed === 1 ? await call(id, seed) : undefined
        const publishing = publish()
        await (seed === 2 ? publishing : pause(random() * 250))
        const reply = early ?? (await call(id, seed))
        await publishing
        return reply
      }),
    )
    atEachCall = (_, call) => call()
    await world.pass(30, 10)
    const texts = (await owner.sandbox(account)).map(({ text }: any) => text)
    return { ids, replies, texts }
  }
  const refusal = { status: 409, body: { success: false, message: 'Post is being published' } }

  test('a PATCH of the text lands before the claim and goes out, or is 409', async () => {
    const { ids, replies, texts } = await race((id, seed) =>
      owner.call('PATCH', `/posts/${id}`, { text: `After ${seed}` }),
    )
    for (const [index, reply] of replies.entries()) {
      const expected = reply.status === 200 ? `After ${seeds[index]}` : `Before ${seeds[index]}`
      if (reply.status !== 200) expect(reply).toMatchObject(refusal)
      expect(texts.filter((text: string) => text.endsWith(` ${seeds[index]}`))).toEqual([expected])
      expect(await post.read(ids[index]!)).toMatchObject({ status: 'published', text: expected })
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  test('a PATCH that puts it off lands before the claim and keeps it in, or is 409', async () => {
    const scheduled_at = plusSeconds(world.clock.now(), 3_600)
    const { ids, replies, texts } = await race((id) => owner.call('PATCH', `/posts/${id}`, { scheduled_at }))
    for (const [index, reply] of replies.entries()) {
      const out = reply.status === 200 ? [] : [`Before ${seeds[index]}`]
      if (reply.status !== 200) expect(reply).toMatchObject(refusal)
      expect(texts.filter((text: string) => text.endsWith(` ${seeds[index]}`))).toEqual(out)
      const status = reply.status === 200 ? 'scheduled' : 'published'
      expect(await post.read(ids[index]!)).toMatchObject({ status })
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
    await world.pass(3_600, 600)
    for (const id of ids) expect(await post.read(id)).toMatchObject({ status: 'published' })
  })

  test('a DELETE lands before the claim and nothing goes out, or is 409', async () => {
    const { ids, replies, texts } = await race((id) => owner.call('DELETE', `/posts/${id}`))
    for (const [index, reply] of replies.entries()) {
      const out = reply.status === 200 ? [] : [`Before ${seeds[index]}`]
      if (reply.status !== 200) expect(reply).toMatchObject(refusal)
      expect(texts.filter((text: string) => text.endsWith(` ${seeds[index]}`))).toEqual(out)
      const { status } = await owner.call('GET', `/posts/${ids[index]}`)
      expect(status).toBe(reply.status === 200 ? 404 : 200)
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })
})
