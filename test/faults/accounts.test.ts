import { beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
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

const itemsOn = async (...socials: string[]) =>
  Promise.all(socials.map(async (social) => (await owner.sandbox(social)).length))

describe('accounts and owners that go away', () => {
  const remove = (social: string) => world.operator('DELETE', `/admin/owners/${owner.id}/socials/${social}`)

  test('a removed account fails its publication, and only that', async () => {
    const [gone, stays] = [await owner.addSocial(), await owner.addSocial()]
    const id = await post.schedule([gone, stays])
    await remove(gone)
    await post.passWith(world.services)
    const failed = await post.read(id)
    expect(failed).toMatchObject({
      status: 'failed',
      publications: [{ status: 'failed', error: { code: 'ACCOUNT_REMOVED' } }, { status: 'published' }],
    })
    expect(await itemsOn(gone, stays)).toEqual([0, 1])
    await post.expectFacets([failed])
  })

  test('an account that is removed while it is tried again fails', async () => {
    const account = await owner.addSocial({ sandbox_behavior: 'fail_once' })
    const id = await post.schedule([account])
    await post.passWith(world.services, 2)
    expect((await post.read(id)).publications).toMatchObject([{ status: 'queued', attempts: 1 }])
    await remove(account)
    await post.passWith(world.services)
    expect((await post.read(id)).publications).toMatchObject([{ error: { code: 'ACCOUNT_REMOVED' } }])
    expect(await itemsOn(account)).toEqual([0])
  })

  test('an account that is removed after its post was accepted leaves the outcome to what is known', async () => {
    const account = await owner.addSocial({ sandbox_behavior: 'crash_after_publish' })
    const id = await post.schedule([account])
    await post.passWith(world.services, 2)
    await remove(account)
    await post.passWith(world.services)
    expect(await post.read(id)).toMatchObject({
      status: 'failed',
      publications: [{ status: 'outcome_unknown', error: { code: 'NO_ANSWER' } }],
    })
    expect(await itemsOn(account)).toEqual([1])
  })

  test('an expired authorisation is asked for once; later posts fail without the network', async () => {
    const account = await owner.addSocial({ sandbox_behavior: 'auth_expired' })
    const calls: string[] = []
    const services: Services = {
      ...world.services,
      providerFor: async (social) => {
        calls.push(social.id)
        return world.services.providerFor(social)
      },
    }
    const expired = { status: 'failed', publications: [{ attempts: 1, error: { code: 'AUTH_EXPIRED' } }] }
    const first = await post.schedule([account])
    await post.passWith(services)
    expect(await post.read(first)).toMatchObject(expired)
    expect(await world.services.socials.find(account as Id<'social'>)).toMatchObject({
      status: 'needs_reconnect',
    })
    const second = await post.schedule([account])
    await post.passWith(services)
    expect(await post.read(second)).toMatchObject(expired)
    expect(calls).toEqual([account])

    await world.operator('PATCH', `/admin/owners/${owner.id}/socials/${account}`, {
      status: 'active',
      sandbox_behavior: 'publish',
    })
    expect(await post.again(second)).toMatchObject({ status: 'published' })
  })

  test('of a removed owner nothing goes out: what is due becomes a draft, what is under way fails', async () => {
    const other = await makeOwner(world)
    const account = await other.addSocial({ sandbox_behavior: 'fail_once' })
    const others = posting(world, other)
    const underWay = await others.schedule([account])
    const later = await others.schedule([account], { seconds: 10 })
    await post.passWith(world.services, 2)
    await world.operator('DELETE', `/admin/owners/${other.id}`)
    await post.passWith(world.services, 60)
    expect(await world.services.sandbox.list(account as Id<'social'>)).toEqual([])
    const [failed, draft] = await Promise.all([underWay, later].map((id) => world.services.posts.find(id)))
    expect(failed).toMatchObject({ status: 'failed', publications: [{ error: { code: 'OWNER_REMOVED' } }] })
    expect(draft).toMatchObject({ status: 'draft', scheduled_at: null })
    await others.expectFacets([failed!, draft!])
    expect(await post.due()).toEqual([])
  })
})
