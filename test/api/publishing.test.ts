import { beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts] })
  owner = await makeOwner(world)
})

/** A post that is due in so many seconds, on accounts with these behaviours. */
async function schedule(behaviors: string[], seconds = 2, fields: Record<string, unknown> = {}) {
  const accounts = await Promise.all(
    behaviors.map((sandbox_behavior) => owner.addSocial({ sandbox_behavior })),
  )
  const { status, body } = await owner.call('POST', '/posts', {
    text: 'Hello',
    accounts,
    status: 'scheduled',
    scheduled_at: plusSeconds(world.clock.now(), seconds),
    ...fields,
  })
  expect(status).toBe(201)
  return { id: body.data.id as string, accounts }
}

const read = async (id: string) => (await owner.call('GET', `/posts/${id}`)).body.data

describe('what becomes of a publication', () => {
  test.each([
    { behavior: 'publish', status: 'published', attempts: 1, items: 1, error: null },
    { behavior: 'fail_once', status: 'published', attempts: 2, items: 1, error: null },
    { behavior: 'rate_limited_once', status: 'published', attempts: 2, items: 1, error: null },
    { behavior: 'slow', status: 'published', attempts: 1, items: 1, error: null },
    { behavior: 'fail', status: 'failed', attempts: 1, items: 0, error: 'SANDBOX_REFUSED' },
    { behavior: 'auth_expired', status: 'failed', attempts: 1, items: 0, error: 'AUTH_EXPIRED' },
    { behavior: 'crash_after_publish', status: 'published', attempts: 1, items: 1, error: null },
    {
      behavior: 'crash_after_publish_blind',
      status: 'outcome_unknown',
      attempts: 1,
      items: 1,
      error: 'NO_ANSWER',
    },
  ])('$behavior ends $status', async ({ behavior, status, attempts, items, error }) => {
    const { id, accounts } = await schedule([behavior])
    await world.pass(20)
    const post = await read(id)
    expect(post.publications).toMatchObject([{ status, attempts, error: error && { code: error } }])
    expect(post.status).toBe(status === 'published' ? 'published' : 'failed')
    expect(await owner.sandbox(accounts[0]!)).toHaveLength(items)
  })
})

test('a post goes out once on each account, with its text and its replies in order', async () => {
  const { id, accounts } = await schedule(['publish', 'publish'], 2, {
    subposts: [{ text: 'First reply' }, { text: 'Second reply' }],
  })
  expect(await read(id)).toMatchObject({ status: 'scheduled', publications: [] })
  await world.pass(3)
  const post = await read(id)
  expect(post).toMatchObject({ status: 'published', published_at: expect.any(String) })
  for (const [index, account] of accounts.entries()) {
    const items = await owner.sandbox(account)
    expect(items).toMatchObject([
      { text: 'Hello', replies: [{ text: 'First reply' }, { text: 'Second reply' }] },
    ])
    expect(post.publications[index]).toMatchObject({
      social_provider_id: account,
      platform_post_id: items[0].platform_post_id,
      url: items[0].url,
    })
  }
})
