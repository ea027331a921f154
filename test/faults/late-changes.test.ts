import type { Context } from 'aws-lambda'
import { beforeAll, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { api } from '#shared/edge/api.ts'
import type { Services } from '#shared/services.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { httpEvent } from '../support/event.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts] })
  owner = await makeOwner(world)
})

/** The door, with everything happening between its look at the post and its first write. */
function doorThatIsHeldUp(meanwhile: () => Promise<void>) {
  let held = false
  const holdUp = async () => {
    if (!held) {
      held = true
      await meanwhile()
    }
  }
  const { posts: store } = world.services
  const services: Services = {
    ...world.services,
    posts: {
      ...store,
      save: async (...given) => {
        await holdUp()
        return store.save(...given)
      },
      remove: async (...given) => {
        await holdUp()
        return store.remove(...given)
      },
    },
  }
  const handler = api(posts, () => services)
  return async (method: string, path: string, body?: unknown) =>
    handler(httpEvent(posts, { method, path, body, key: owner.key }), {} as Context)
}

test.each([
  {
    what: 'puts it off',
    method: 'PATCH',
    body: { scheduled_at: '2027-01-01T00:00:00Z', status: 'scheduled' },
  },
  { what: 'changes its text', method: 'PATCH', body: { text: 'Too late' } },
  { what: 'deletes it', method: 'DELETE' },
])('who $what while the whole post goes out is told so, and it is out once', async ({ method, body }) => {
  const account = await owner.addSocial()
  const { body: created } = await owner.call('POST', '/posts', {
    text: 'Hello',
    accounts: [account],
    status: 'scheduled',
    scheduled_at: plusSeconds(world.clock.now(), 2),
  })
  const { id } = created.data
  const call = doorThatIsHeldUp(() => world.pass(5))

  const reply = await call(method, `/posts/${id}`, body)
  expect(reply.statusCode).toBe(409)
  expect(JSON.parse(reply.body ?? '')).toMatchObject({ message: 'Post is being published' })
  await world.pass(5)
  expect((await owner.call('GET', `/posts/${id}`)).body.data).toMatchObject({
    status: 'published',
    text: 'Hello',
  })
  expect(await owner.sandbox(account)).toHaveLength(1)
})
