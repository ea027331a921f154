import { beforeAll, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { type Around, deliverTo, openProcess } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { posting } from '../support/posting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts] })
  owner = await makeOwner(world)
})

const behaviors = [
  { behavior: 'publish', mostJobs: 1 },
  { behavior: 'slow', mostJobs: 2 },
  { behavior: 'fail_once', mostJobs: 2 },
  { behavior: 'rate_limited_once', mostJobs: 2 },
  { behavior: 'crash_after_publish', mostJobs: 2 },
  { behavior: 'crash_after_publish_blind', mostJobs: 2 },
  { behavior: 'auth_expired', mostJobs: 1 },
]

// Ticks on AWS come every minute, and two can be nearly two minutes apart; locally they come every second.
test.each([1, 119])('once all is final, nothing circulates, with ticks every %i s', async (every) => {
  const post = posting(world, owner)
  const accounts = await Promise.all(
    behaviors.map(({ behavior }) => owner.addSocial({ sandbox_behavior: behavior })),
  )
  const sent: any[] = []
  const { send } = world.queue
  world.queue.send = async (message) => {
    sent.push(message.body)
    return send(message)
  }
  const id = await post.schedule(accounts, { seconds: 200 })
  for (let gone = 1; gone <= 600; gone++) {
    world.clock.advance(1)
    if (gone % every === 0) await world.tick()
    await world.deliverJobs()
  }
  world.queue.send = send

  expect((await post.read(id)).publications.map(({ status }: any) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'published'),
    'outcome_unknown',
    'failed',
  ])
  expect(sent.filter(({ kind }) => kind === 'post')).toHaveLength(1)
  for (const [index, { mostJobs }] of behaviors.entries()) {
    const own = sent.filter(({ social }) => social === accounts[index])
    expect(own.length, behaviors[index]!.behavior).toBeLessThanOrEqual(mostJobs)
  }
  expect(await post.due()).toEqual([])
  expect(world.queue.waiting).toEqual([])
})

test('jobs that come again while nothing is to be done end there', async () => {
  const post = posting(world, owner)
  const account = await owner.addSocial({ sandbox_behavior: 'fail_once' })
  const id = await post.schedule([account])
  world.clock.advance(2)
  await world.deliverJobs()
  // The second attempt is some five seconds away: its job waits, and each that comes now is heard at most once more.
  expect(world.queue.waiting).toHaveLength(1)
  const again = { kind: 'publication', post: id, social: account as Id<'social'>, hops: 0 } as const
  await Promise.all(Array.from({ length: 5 }, () => doPublishJob(again, world.services)))
  expect(world.queue.waiting).toHaveLength(6)
  world.clock.advance(10)
  await world.deliverJobs()
  expect(world.queue.waiting).toEqual([])

  // While a worker holds it, nobody else need come.
  const good = await owner.addSocial()
  const held = await post.schedule([good])
  world.clock.advance(2)
  await doPublishJob({ kind: 'post', post: held, hops: 0 }, world.services)
  world.queue.take()
  const job = { ...again, post: held, social: good as Id<'social'> }
  let commits = 0
  const services = openProcess(world, {
    around: async (verb, call) => {
      if (verb === 'commit' && ++commits > 1)
        await Promise.all([0, 0, 0].map(() => doPublishJob(job, world.services)))
      return call()
    },
  })
  await doPublishJob(job, services)
  expect(world.queue.waiting).toEqual([])
  expect(await owner.sandbox(good)).toHaveLength(1)
})

test('a worker that can never finish is sent a bounded number of times', async () => {
  const post = posting(world, owner)
  const account = await owner.addSocial()
  const id = await post.schedule([account])
  let sends = 0
  let broken = true
  const around: Around = async (verb, call) => {
    if (verb === 'send') sends++
    return call()
  }
  const services = openProcess(world, { around })
  // It dies over the post's content, every time.
  const dying = {
    ...services,
    posts: { ...services.posts, find: (post: typeof id) => (broken ? crash() : services.posts.find(post)) },
  }
  const crash = async (): Promise<never> => {
    throw new Error('Out of memory')
  }
  await doPost(services)
  for (let gone = 0; gone < 1_200; gone += 5) {
    world.clock.advance(5)
    await world.tick()
    await deliverTo(world, (job) => (job.kind === 'post' ? services : dying))
    // The sixth worker is told what became of the others.
    const found = await services.publications.find(id, account as never)
    broken = (found?.attempts ?? 0) < 6
  }
  expect(await post.read(id)).toMatchObject({
    status: 'failed',
    publications: [{ status: 'failed', error: { code: 'PUBLISHER_CRASHED' } }],
  })
  expect(sends).toBeLessThan(12)
  expect(await post.due()).toEqual([])

  async function doPost(by: typeof services) {
    world.clock.advance(2)
    await deliverTo(world, (job) => (job.kind === 'post' ? by : dying))
  }
})
