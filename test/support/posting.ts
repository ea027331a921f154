/** Posts of one owner, as the tests of the publisher schedule them and look at them. */
import { expect } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import { classOf, type Post, postClasses } from '#shared/domain/post.ts'
import type { Services } from '#shared/services.ts'
import { dueIndex, dueShards, facetPartition } from '#shared/store/layout.ts'
import { deliverTo } from './faults.ts'
import type { OwnerInWorld } from './people.ts'
import type { World } from './world.ts'

export type Posting = ReturnType<typeof posting>

/** Lets time pass with a worker that has these services. */
async function passWith(world: World, services: Services, seconds = 20) {
  for (let gone = 0; gone < seconds; gone += 2) {
    world.clock.advance(2)
    await world.tick()
    await deliverTo(world, () => services)
  }
}

export const posting = (world: World, owner: OwnerInWorld) => ({
  passWith: (services: Services, seconds?: number) => passWith(world, services, seconds),

  /** Queues the post again, as a caller does, and lets it go out. */
  async again(id: string, fields: Record<string, unknown> = {}, services: Services = world.services) {
    const { status, body } = await owner.call('PATCH', `/posts/${id}`, {
      status: 'scheduled',
      scheduled_at: plusSeconds(world.clock.now(), 2),
      ...fields,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    await passWith(world, services)
    return this.read(id)
  },

  /** The ID of a post that is due in so many seconds. */
  async schedule(accounts: string[], { seconds = 2, ...fields }: Record<string, any> = {}) {
    const { status, body } = await owner.call('POST', '/posts', {
      text: 'Hello',
      accounts,
      status: 'scheduled',
      scheduled_at: plusSeconds(world.clock.now(), seconds),
      ...fields,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.data.id as Id<'post'>
  },

  /** The post as callers see it. */
  read: async (id: string) => (await owner.call('GET', `/posts/${id}`)).body.data,

  /** What is due, posts and publications. */
  async due() {
    const shards = await Promise.all(dueShards.map((pk) => world.table.query({ index: dueIndex, pk })))
    return shards.flatMap(({ items }) => items)
  },

  /** Every facet row of these posts stands where the post belongs, and nowhere else. */
  async expectFacets(posts: Pick<Post, 'id' | 'status' | 'labels' | 'accounts'>[], labels: string[] = []) {
    const [first] = posts
    if (!first) return
    const code = ownerCodeOf(first.id)
    const accounts = [...new Set(posts.flatMap((post) => post.accounts.map(({ id }) => id)))]
    const ids = new Set(posts.map(({ id }) => id))
    for (const of of postClasses) {
      const inClass = posts.filter(({ status }) => classOf(status) === of)
      const expectRows = async (facet: { label?: string; social?: string }, wanted: typeof posts) => {
        const { items } = await world.table.query({ pk: facetPartition(code, { of, ...facet }) })
        const found = items.map(({ sk }) => sk as Id<'post'>).filter((id) => ids.has(id))
        expect(found, `facet ${of} ${JSON.stringify(facet)}`).toEqual(wanted.map(({ id }) => id).sort())
      }
      await expectRows({}, inClass)
      for (const label of labels) {
        await expectRows(
          { label },
          inClass.filter((post) => (post.labels as string[]).includes(label)),
        )
      }
      for (const social of accounts) {
        await expectRows(
          { social },
          inClass.filter((post) => post.accounts.some(({ id }) => id === social)),
        )
      }
    }
  },
})
