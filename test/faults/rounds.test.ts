import { beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { ProviderProblem } from '#shared/providers/provider.ts'
import type { Services } from '#shared/services.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
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

const behave = (social: string, sandbox_behavior: string) =>
  world.operator('PATCH', `/admin/owners/${owner.id}/socials/${social}`, { sandbox_behavior })

const itemsOn = async (...socials: string[]) =>
  Promise.all(socials.map(async (social) => (await owner.sandbox(social)).length))

/** Services whose network refuses the first reply. */
const withoutReplies = (): Services => ({
  ...world.services,
  providerFor: async (social) => {
    const provider = await world.services.providerFor(social)
    return {
      ...provider,
      prepare: async (job) => {
        if (job.part > 0) throw new ProviderProblem('permanent', 'NO_REPLIES', 'Replies are closed')
        return provider.prepare(job)
      },
    }
  },
})

describe('a post that failed, queued again', () => {
  test('goes only to the accounts that did not get it; what nobody knows is never sent again', async () => {
    const behaviors = ['publish', 'fail', 'crash_after_publish_blind']
    const socials = await Promise.all(
      behaviors.map((sandbox_behavior) => owner.addSocial({ sandbox_behavior })),
    )
    const [published, failing, unknown] = socials as [string, string, string]
    const id = await post.schedule(socials)
    await post.passWith(world.services)
    const first = await post.read(id)
    expect(first.publications.map(({ status }: any) => status)).toEqual([
      'published',
      'failed',
      'outcome_unknown',
    ])
    expect(await itemsOn(published, failing, unknown)).toEqual([1, 0, 1])

    await behave(failing, 'publish')
    await behave(unknown, 'publish')
    const second = await post.again(id)
    expect(second).toMatchObject({
      status: 'failed',
      publications: [first.publications[0], { status: 'published' }, first.publications[2]],
    })
    expect(await itemsOn(published, failing, unknown)).toEqual([1, 1, 1])

    // With nothing left to send, it is final at once.
    expect(await post.again(id)).toMatchObject({ status: 'failed', publications: second.publications })
    expect(await itemsOn(published, failing, unknown)).toEqual([1, 1, 1])
    await post.expectFacets([await post.read(id)])

    // Without the account of which nobody knows, everything is out.
    const without = await post.again(id, { accounts: [published, failing] })
    expect(without).toMatchObject({ status: 'published', published_at: expect.any(String) })
    expect(await itemsOn(published, failing, unknown)).toEqual([1, 1, 1])
  })

  test('goes on with the replies where it stopped', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account], { subposts: [{ text: 'One' }, { text: 'Two' }] })
    await post.passWith(withoutReplies())
    expect(await post.read(id)).toMatchObject({
      status: 'failed',
      publications: [{ status: 'failed', error: { code: 'NO_REPLIES' } }],
    })
    expect(await post.again(id)).toMatchObject({ status: 'published' })
    expect(await owner.sandbox(account)).toMatchObject([
      { text: 'Hello', replies: [{ text: 'One' }, { text: 'Two' }] },
    ])
  })

  test('sends nothing more when the replies that were missing are taken off', async () => {
    const account = await owner.addSocial()
    const id = await post.schedule([account], { subposts: [{ text: 'One' }] })
    await post.passWith(withoutReplies())
    expect(await post.again(id, { subposts: [] })).toMatchObject({
      status: 'published',
      publications: [{ status: 'published', error: null, url: expect.any(String) }],
    })
    expect(await owner.sandbox(account)).toMatchObject([{ text: 'Hello', replies: [] }])
  })
})

describe('a post that was published, queued again', () => {
  test('goes out on every account once more', async () => {
    const socials = [await owner.addSocial(), await owner.addSocial()]
    const id = await post.schedule(socials)
    await post.passWith(world.services)
    expect(await post.again(id, { text: 'Once more' })).toMatchObject({ status: 'published' })
    for (const social of socials) {
      expect(await owner.sandbox(social)).toMatchObject([{ text: 'Once more' }, { text: 'Hello' }])
    }
  })

  test('and failed on one account, goes only there in the round after', async () => {
    const [good, bad] = [await owner.addSocial(), await owner.addSocial()]
    const id = await post.schedule([good, bad])
    await post.passWith(world.services)
    await behave(bad, 'fail')
    expect(await post.again(id)).toMatchObject({ status: 'failed' })
    expect(await itemsOn(good, bad)).toEqual([2, 1])
    await behave(bad, 'publish')
    expect(await post.again(id)).toMatchObject({ status: 'published' })
    expect(await itemsOn(good, bad)).toEqual([2, 2])
  })

  test('and missed, goes to all of them in the round after', async () => {
    const socials = [await owner.addSocial(), await owner.addSocial()]
    const id = await post.schedule(socials)
    await post.passWith(world.services)
    await owner.call('PATCH', `/posts/${id}`, {
      status: 'scheduled',
      scheduled_at: plusSeconds(world.clock.now(), 300),
    })
    world.clock.advance(8_000)
    await post.passWith(world.services)
    expect(await post.read(id)).toMatchObject({ status: 'failed' })
    expect(await itemsOn(...socials)).toEqual([1, 1])
    expect(await post.again(id)).toMatchObject({ status: 'published' })
    expect(await itemsOn(...socials)).toEqual([2, 2])
  })
})
