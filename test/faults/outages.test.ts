import { beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { dispatchDue } from '../../functions/publisher/dispatch-due.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { type Around, deliverTo, openProcess, queueAround, withProvider } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { type Posting, posting } from '../support/posting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let post: Posting
/** What the callers' process meets when it sends a job. */
let atEachSend: Around = (_, call) => call()

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts, ...labels] })
  const { sendPublishJob } = world.services
  world.services.sendPublishJob = (...given) => atEachSend('send', () => sendPublishJob(...given))
  owner = await makeOwner(world)
  post = posting(world, owner)
})

/** Time goes by, and nobody works: what was sent is lost as well. */
function outage(seconds: number) {
  world.clock.advance(seconds)
  world.queue.take()
}

describe('after an outage', () => {
  test('of ten minutes, a post goes out late, and once', async () => {
    const account = await owner.addSocial()
    const ids = [await post.schedule([account]), await post.schedule([account], { seconds: 400 })]
    outage(602)
    await world.pass(30)
    for (const id of ids) expect(await post.read(id)).toMatchObject({ status: 'published' })
    expect(await owner.sandbox(account)).toHaveLength(2)
  })

  test('of just under two hours it goes out; of more than two it is failed, and a person can queue it again', async () => {
    const account = await owner.addSocial()
    const near = await post.schedule([account], { text: 'Near' })
    outage(7_190)
    await world.pass(10)
    expect(await post.read(near)).toMatchObject({ status: 'published' })

    const late = await post.schedule([account], { text: 'Late' })
    outage(7_210)
    await world.pass(10)
    const missed = await post.read(late)
    expect(missed).toMatchObject({
      status: 'failed',
      publications: [{ status: 'failed', attempts: 0, error: { code: 'MISSED_SCHEDULE' } }],
    })
    await post.expectFacets([missed])
    const again = { status: 'scheduled', scheduled_at: plusSeconds(world.clock.now(), 5) }
    expect(await owner.call('PATCH', `/posts/${late}`, again)).toMatchObject({ status: 200 })
    await world.pass(10)
    expect(await post.read(late)).toMatchObject({ status: 'published', publications: [{ error: null }] })
    expect((await owner.sandbox(account)).map(({ text }: any) => text)).toEqual(['Late', 'Near'])
  })

  test('the largest post, too, can be failed', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => owner.addSocial()))
    const onIt = await Promise.all(Array.from({ length: 20 }, () => owner.addLabel()))
    const id = await post.schedule(accounts, { labels: onIt })
    outage(8_000)
    await world.pass(30)
    const failed = await post.read(id)
    expect(failed.status).toBe('failed')
    expect(failed.publications).toHaveLength(20)
    await post.expectFacets([failed], onIt)
    await owner.call('PATCH', `/posts/${id}`, {
      status: 'scheduled',
      scheduled_at: plusSeconds(world.clock.now(), 5),
    })
    await world.pass(30)
    const published = await post.read(id)
    expect(published.status).toBe('published')
    await post.expectFacets([published], onIt)
    for (const account of accounts) expect(await owner.sandbox(account)).toHaveLength(1)
  })

  test('that began after the claim, what has not gone out for two hours is not sent any more', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account])
    world.clock.advance(2)
    await doPublishJob({ kind: 'post', post: id, hops: 0 }, world.services)
    outage(7_300)
    await world.pass(10)
    expect(await post.read(id)).toMatchObject({
      status: 'failed',
      publications: [{ status: 'failed', error: { code: 'MISSED_SCHEDULE' } }],
    })
    expect(await owner.sandbox(account)).toEqual([])
  })

  test('what was armed before it is looked up, and counts if it is out', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account])
    let dead = false
    const dying = openProcess(world, {
      around: async (_, call) => {
        if (dead) throw new Error('The process is dead')
        return call()
      },
    })
    const services = withProvider(dying, (provider) => ({
      publish: async (job) => {
        await provider.publish(job)
        dead = true
        throw new Error('Died')
      },
    }))
    world.clock.advance(2)
    await deliverTo(world, () => services)
    outage(9_000)
    await world.pass(30)
    expect(await post.read(id)).toMatchObject({ status: 'published' })
    expect(await owner.sandbox(account)).toHaveLength(1)
  })
})

describe('while the queue is down', () => {
  const down: Around = () => Promise.reject(new Error('The queue does not answer'))

  test('a post is accepted all the same, and the sweep publishes it', async () => {
    const account = await owner.addSocial()
    atEachSend = down
    const id = await post.schedule([account], { seconds: 5 })
    atEachSend = (_, call) => call()
    expect(world.queue.waiting).toEqual([])
    await world.pass(30)
    const published = await post.read(id)
    expect(published).toMatchObject({ status: 'published' })
    expect(published.published_at <= plusSeconds(published.scheduled_at, 20)).toBe(true)
    expect(await owner.sandbox(account)).toHaveLength(1)
  })

  test('the sweep holds nothing back: the first tick after it sends everything', async () => {
    const account = await owner.addSocial()
    const ids = await Promise.all(
      Array.from({ length: 45 }, (_, n) => post.schedule([account], { text: `${n}`, seconds: 200 })),
    )
    const cutOff = openProcess(world, { queue: queueAround(world.queue, down) })
    world.clock.advance(220)
    await expect(dispatchDue(cutOff)).rejects.toThrow('could be sent')
    await expect(dispatchDue(cutOff)).rejects.toThrow('could be sent')
    world.clock.advance(60)
    await world.tick()
    await world.deliverJobs()
    for (const id of ids) expect((await post.read(id)).status).toBe('published')
    expect(await owner.sandbox(account)).toHaveLength(45)
  })

  test('one entry that cannot be sent does not hold up the others', async () => {
    const account = await owner.addSocial()
    const ids = await Promise.all(
      Array.from({ length: 45 }, (_, n) => post.schedule([account], { text: `${n}`, seconds: 200 })),
    )
    let sends = 0
    const stumbling = openProcess(world, {
      around: async (verb, call) => {
        if (verb === 'send' && ++sends === 1) throw new Error('Throttled')
        return call()
      },
    })
    world.clock.advance(200)
    await expect(dispatchDue(stumbling)).rejects.toThrow('could be sent')
    await world.deliverJobs()
    const states = await Promise.all(ids.map((id) => post.read(id)))
    expect(states.filter(({ status }) => status === 'published')).toHaveLength(44)
    await world.pass(2)
    expect(await owner.sandbox(account)).toHaveLength(45)
  })
})

describe('clocks that differ by some seconds', () => {
  test.each([-5, 5])('a worker whose clock is off by %i s publishes in time, and once', async (skew) => {
    const behaviors = ['publish', 'slow', 'fail_once']
    const accounts = await Promise.all(
      behaviors.map((sandbox_behavior) => owner.addSocial({ sandbox_behavior })),
    )
    const id = await post.schedule(accounts, { seconds: 10 })
    const skewed = openProcess(world, { clock: { now: () => plusSeconds(world.clock.now(), skew) } })
    let turn = 0
    for (let gone = 0; gone < 40; gone++) {
      world.clock.advance(1)
      if (gone % 20 === 0) await world.tick()
      await deliverTo(world, () => (turn++ % 2 ? skewed : world.services))
    }
    const published = await post.read(id)
    expect(published).toMatchObject({ status: 'published' })
    for (const account of accounts) expect(await owner.sandbox(account)).toHaveLength(1)
  })
})
