import { beforeAll, describe, expect, test } from 'vitest'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as socials } from '../../functions/socials/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...socials], now: '2026-03-01T12:00:00Z' })
  owner = await makeOwner(world)
})

const adminPath = (id: string, of = owner) => `/admin/owners/${of.id}/socials/${id}`
const names = (reply: { body: any }) => reply.body.data.items.map((social: any) => social.display_name)

test('an account is shown without what is nobody’s business', async () => {
  const id = await owner.addSocial({
    provider_type: 'bluesky',
    display_name: 'Acme',
    username: 'acme.example',
    avatar_url: 'https://example.com/a.png',
    credentials: { password: 'hunter2' },
    sandbox_behavior: 'fail',
  })
  expect((await owner.call('GET', `/socials/${id}`)).body).toEqual({
    success: true,
    data: {
      id,
      provider_type: 'bluesky',
      display_name: 'Acme',
      username: 'acme.example',
      avatar_url: 'https://example.com/a.png',
      status: 'active',
      sandbox: true,
      created_at: '2026-03-01T12:00:00.000Z',
    },
  })
})

test('without accounts the list is empty', async () => {
  const lonely = await makeOwner(world)
  expect((await lonely.call('GET', '/socials')).body).toEqual({
    success: true,
    data: { items: [], total: 0, has_more: false, next_cursor: null },
  })
})

test('the list is by name in lower case, in code points, page by page', async () => {
  const lister = await makeOwner(world)
  const wanted = ['Åland', 'alpha', 'Alpha Beta', 'alphA2', 'beta', 'Zulu', 'éclair', '🦊 fox']
  const sorted = wanted.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  for (const display_name of wanted) await lister.addSocial({ display_name })
  expect(names(await lister.call('GET', '/socials'))).toEqual(sorted)

  const pages: string[] = []
  let cursor = ''
  do {
    const reply = await lister.call('GET', `/socials?limit=3${cursor && `&cursor=${cursor}`}`)
    pages.push(...names(reply))
    expect(reply.body.data.total).toBe(wanted.length)
    cursor = reply.body.data.next_cursor ?? ''
  } while (cursor)
  expect(pages).toEqual(sorted)
})

test('pending and removed accounts are not there for callers', async () => {
  const lister = await makeOwner(world)
  const [pending, removed, active] = await Promise.all([
    lister.addSocial({ status: 'pending' }),
    lister.addSocial(),
    lister.addSocial({ display_name: 'Only one' }),
  ])
  expect(await world.operator('DELETE', adminPath(removed, lister))).toMatchObject({
    status: 200,
    body: { data: { id: removed, status: 'active' } },
  })
  const list = await lister.call('GET', '/socials')
  expect(list.body.data).toMatchObject({ total: 1, items: [{ id: active }] })
  for (const id of [pending, removed]) {
    expect(await lister.call('GET', `/socials/${id}`)).toMatchObject({
      status: 404,
      body: { message: 'Social not found' },
    })
  }
  expect(await world.operator('DELETE', adminPath(removed, lister))).toMatchObject({ status: 404 })

  await world.operator('PATCH', adminPath(pending, lister), { status: 'active', display_name: 'All of them' })
  expect(names(await lister.call('GET', '/socials'))).toEqual(['All of them', 'Only one'])
  const all = await world.operator('GET', `/admin/owners/${lister.id}/socials`)
  expect(all.body.data).toMatchObject({ total: 2 })
})

test('a renamed account moves in the list', async () => {
  const lister = await makeOwner(world)
  const first = await lister.addSocial({ display_name: 'A' })
  await lister.addSocial({ display_name: 'B' })
  await world.operator('PATCH', adminPath(first, lister), { display_name: 'C' })
  const list = await lister.call('GET', '/socials')
  expect(names(list)).toEqual(['B', 'C'])
  expect(list.body.data.total).toBe(2)
})

test('somebody else’s account is 403 for callers, and not there below another owner', async () => {
  const other = await makeOwner(world)
  const theirs = await other.addSocial()
  expect(await owner.call('GET', `/socials/${theirs}`)).toMatchObject({
    status: 403,
    body: { success: false, message: 'Access denied' },
  })
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { display_name: 'Mine' } : undefined
    expect(await world.operator(method, adminPath(theirs), body)).toMatchObject({ status: 404 })
  }
  expect(await world.operator('GET', `${adminPath(theirs)}/sandbox`)).toMatchObject({ status: 404 })
})

describe('accounts that are refused', () => {
  const good = { provider_type: 'x', display_name: 'Acme' }
  test.each([
    { body: { display_name: 'Acme' }, field: 'provider_type', message: 'provider_type is required' },
    { body: { provider_type: 'x' }, field: 'display_name', message: 'display_name is required' },
    {
      body: { ...good, provider_type: 'myspace' },
      field: 'provider_type',
      message: /must be one of: facebook/,
    },
    { body: { ...good, display_name: ' ' }, field: 'display_name', message: /non-empty/ },
    { body: { ...good, display_name: 'a\u0000b' }, field: 'display_name', message: /control characters/ },
    {
      body: { ...good, status: 'removed' },
      field: 'status',
      message: 'status must be one of: active, pending',
    },
    { body: { ...good, sandbox: 'yes' }, field: 'sandbox', message: /true or false/ },
    {
      body: { ...good, sandbox_behavior: 'explode' },
      field: 'sandbox_behavior',
      message: /must be one of: publish/,
    },
    { body: { ...good, credentials: 'secret' }, field: 'credentials', message: /must be an object/ },
    { body: { ...good, credentials: { t: 'x'.repeat(5000) } }, field: 'credentials', message: /4,096 bytes/ },
  ])('$message', async ({ body, field, message }) => {
    expect(await world.operator('POST', `/admin/owners/${owner.id}/socials`, body)).toMatchObject({
      status: 400,
      body: { success: false, message: expect.stringMatching(message), errors: [{ field }] },
    })
  })
})
