import { beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { takeOffLabel } from '../../functions/labels/take-off-label.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { dawdling, failingAt, openProcess, seeded } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { type Posting, posting } from '../support/posting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let post: Posting

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts, ...labels] })
  owner = await makeOwner(world)
  post = posting(world, owner)
})

/** Deletes the label; its removal from the posts is the test's to start, as the stream does. */
async function deletedLabel(label: string): Promise<Id<'label'>> {
  expect((await owner.call('DELETE', `/labels/${label}`)).status).toBe(200)
  return label as Id<'label'>
}

const expectPublished = async (ids: string[], account: string, labelsLeft: string[]) => {
  const ended = await Promise.all(ids.map((id) => post.read(id)))
  for (const { status, labels: on, scheduled_at, published_at } of ended) {
    expect({ status, on }).toEqual({ status: 'published', on: labelsLeft })
    expect(Date.parse(published_at) - Date.parse(scheduled_at)).toBeLessThan(5_000)
  }
  const ours = (await owner.sandbox(account)).filter(({ text }: any) =>
    ended.some((one) => one.text === text),
  )
  expect(ours).toHaveLength(ids.length)
  return ended
}

describe('a label that is deleted', () => {
  test.each([2, 170, 900])(
    'while its post is due in %i s comes off, and the post goes out in time',
    async (seconds) => {
      const account = await owner.addSocial()
      const [gone, stays] = [await owner.addLabel(), await owner.addLabel()]
      const id = await post.schedule([account], { seconds, labels: [gone, stays] })
      await takeOffLabel(await deletedLabel(gone), world.services)
      await world.pass(seconds + 3, seconds > 100 ? 1 + seconds / 60 : 1)
      const ended = await expectPublished([id], account, [stays])
      await post.expectFacets(ended, [gone, stays])
    },
  )

  test('between any two writes of the publisher comes off, and every account gets the post once', async () => {
    const accounts = [await owner.addSocial(), await owner.addSocial({ sandbox_behavior: 'slow' })]
    for (let n = 1; n <= 30; n += 3) {
      const gone = await owner.addLabel()
      const id = await post.schedule(accounts, { text: `Between ${n}`, labels: [gone] })
      const label = await deletedLabel(gone)
      let calls = 0
      const services = openProcess(world, {
        around: async (_, call) => {
          if (++calls === n) await takeOffLabel(label, world.services)
          return call()
        },
      })
      world.clock.advance(2)
      await doPublishJob({ kind: 'post', post: id, hops: 0 }, services)
      for (const social of accounts) {
        await doPublishJob({ kind: 'publication', post: id, social: social as never, hops: 0 }, services)
      }
      await takeOffLabel(label, world.services)
      await world.pass(10, 2)
      const ended = await post.read(id)
      expect(ended).toMatchObject({ status: 'published', labels: [] })
      await post.expectFacets([ended], [gone])
    }
    for (const account of accounts) {
      const texts = (await owner.sandbox(account)).map(({ text }: any) => text)
      expect(new Set(texts).size).toBe(10)
      expect(texts).toHaveLength(10)
    }
  })

  test('and told of twice at once, while the posts go out, loses nothing', async () => {
    const account = await owner.addSocial()
    const [gone, stays] = [await owner.addLabel(), await owner.addLabel()]
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        post.schedule([account], { text: `Meanwhile ${n}`, labels: [gone, stays] }),
      ),
    )
    const label = await deletedLabel(gone)
    const random = seeded(3)
    const slow = () => openProcess(world, { around: dawdling(random, 4) })
    world.clock.advance(2)
    await Promise.all([
      takeOffLabel(label, slow()),
      takeOffLabel(label, slow()),
      ...ids.map((id) => doPublishJob({ kind: 'post', post: id, hops: 0 }, slow())),
    ])
    await world.pass(10, 2)
    const ended = await expectPublished(ids, account, [stays])
    await post.expectFacets(ended, [gone, stays])
  })

  test('in a process that dies at any call is taken off by the next one', async () => {
    const account = await owner.addSocial()
    for (let n = 1; ; n++) {
      const gone = await owner.addLabel()
      const ids = [
        await post.schedule([account], { text: `Dying ${n}`, labels: [gone], seconds: 2 }),
        await post.schedule([account], { text: `Dying too ${n}`, labels: [gone], seconds: 3 }),
      ]
      const label = await deletedLabel(gone)
      const fate = failingAt(n, n % 2 ? 'dies before' : 'dies after')
      const died = await takeOffLabel(label, openProcess(world, fate)).then(
        () => false,
        () => true,
      )
      await takeOffLabel(label, world.services)
      await world.pass(4)
      await post.expectFacets(await expectPublished(ids, account, []), [gone])
      if (!died) break
      expect(n).toBeLessThan(20)
    }
  })
})
