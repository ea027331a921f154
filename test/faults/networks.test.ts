import { beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import { ProviderProblem } from '#shared/providers/provider.ts'
import type { Services } from '#shared/services.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { deliverTo, withProvider } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { type Posting, posting } from '../support/posting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let post: Posting

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts] })
  owner = await makeOwner(world)
  post = posting(world, owner)
})

const publication = (id: Id<'post'>, social: string) => ({
  kind: 'publication' as const,
  post: id,
  social: social as Id<'social'>,
  hops: 0,
})

describe('a network that does not behave', () => {
  const end = async (services: Services, seconds: number, step: number) => {
    for (let gone = 0; gone < seconds; gone += step) {
      world.clock.advance(step)
      await world.tick()
      await deliverTo(world, () => services)
    }
  }

  test('whose look-up fails for hours leaves the outcome unknown in the end', async () => {
    const account = await owner.addSocial({ sandbox_behavior: 'crash_after_publish' })
    const id = await post.schedule([account])
    const broken = withProvider(world.services, () => ({
      findLanded: async () => {
        throw new ProviderProblem('ambiguous', 'TIMED_OUT', 'The network did not answer')
      },
    }))
    await end(broken, 600, 30)
    expect((await post.read(id)).status).toBe('publishing')
    await end(broken, 3_600, 60)
    expect(await post.read(id)).toMatchObject({
      status: 'failed',
      publications: [{ status: 'outcome_unknown', error: { code: 'NO_ANSWER' } }],
    })
    expect(await owner.sandbox(account)).toHaveLength(1)
  })

  test('that is at work for ever is given up after a day', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account])
    const at = () => plusSeconds(world.clock.now(), 1_800)
    const endless = withProvider(world.services, () => ({
      prepare: async () => ({ kind: 'processing', at: at() }),
      poll: async () => ({ kind: 'processing', at: at() }),
    }))
    await end(endless, 25 * 3_600, 1_800)
    expect(await post.read(id)).toMatchObject({
      status: 'failed',
      publications: [{ attempts: 1, error: { code: 'PROCESSING_TIMED_OUT' } }],
    })
    expect(await post.due()).toEqual([])
  })

  test('that does not answer before anything was sent is tried five times, and what calls itself ambiguous too', async () => {
    const account = await owner.addSocial({ sandbox_behavior: 'crash_after_publish_blind' })
    const id = await post.schedule([account])
    const silent = withProvider(world.services, () => ({
      prepare: async () => {
        throw new ProviderProblem('ambiguous', 'TIMED_OUT', 'The network did not answer')
      },
    }))
    await end(silent, 1_200, 20)
    expect(await post.read(id)).toMatchObject({
      status: 'failed',
      publications: [{ status: 'failed', attempts: 5, error: { code: 'TIMED_OUT' } }],
    })
  })

  test('handles that are recorded within the last call are kept for the look-up', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account])
    const seen: unknown[] = []
    const services = withProvider(world.services, (provider) => ({
      publish: async (job) => {
        await job.record({ publish_id: 'p1' })
        await provider.publish(job)
        throw new Error('The connection was cut')
      },
      findLanded: async (job) => {
        seen.push(job.handles)
        return { kind: 'landed', part: { platform_post_id: 'p1', url: null } }
      },
    }))
    await end(services, 20, 5)
    expect(seen).toEqual([{ publish_id: 'p1' }])
    expect(await post.read(id)).toMatchObject({ status: 'published' })
  })

  test('a table that fails between the arming and the call to the network costs an attempt, not the certainty', async () => {
    const account = await owner.addSocial({ sandbox_behavior: 'crash_after_publish_blind' })
    const id = await post.schedule([account])
    world.clock.advance(2)
    let finds = 0
    const { socials } = world.services
    const services = {
      ...world.services,
      socials: {
        ...socials,
        find: (social: Id<'social'>) =>
          ++finds === 2 ? Promise.reject(new Error('Throttled')) : socials.find(social),
      },
    }
    await doPublishJob({ kind: 'post', post: id, hops: 0 }, services)
    await doPublishJob(publication(id, account), services)
    expect((await post.read(id)).publications).toMatchObject([{ status: 'queued', attempts: 1 }])
    expect(await owner.sandbox(account)).toEqual([])
  })

  test('a long thread on a slow network is sent over several visits, each short', async () => {
    const account = await owner.addSocial()
    const replies = Array.from({ length: 12 }, (_, n) => ({ text: `Reply ${n}` }))
    const id = await post.schedule([account], { subposts: replies })
    const services = withProvider(world.services, (provider) => ({
      publish: async (job) => {
        world.clock.advance(10)
        return provider.publish(job)
      },
    }))
    world.clock.advance(2)
    await doPublishJob({ kind: 'post', post: id, hops: 0 }, services)
    const visits: number[] = []
    for (let messages = world.queue.take(); messages.length > 0; messages = world.queue.take()) {
      for (const { body } of messages) {
        const began = Date.parse(world.clock.now())
        await doPublishJob(body as never, services)
        visits.push((Date.parse(world.clock.now()) - began) / 1_000)
      }
      await world.tick()
    }
    expect(Math.max(...visits)).toBeLessThan(50)
    expect(await post.read(id)).toMatchObject({ status: 'published', publications: [{ attempts: 1 }] })
    expect((await owner.sandbox(account))[0].replies).toMatchObject(replies)
  })
})
