import { beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { facetKeys } from '#shared/store/layout.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { takeOffLabel } from '../../functions/labels/take-off-label.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let other: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels, ...posts], now: '2026-03-01T12:00:00Z' })
  owner = await makeOwner(world)
  other = await makeOwner(world)
})

const inSeconds = (seconds: number) => plusSeconds(world.clock.now(), seconds)

async function create(fields: Record<string, unknown> = {}, by = owner) {
  const { status, body } = await by.call('POST', '/posts', { text: 'Hello', ...fields })
  expect(status).toBe(201)
  return body.data
}

const scheduled = async (by = owner, fields: Record<string, unknown> = {}) =>
  create(
    { status: 'scheduled', scheduled_at: inSeconds(3_600), accounts: [await by.addSocial()], ...fields },
    by,
  )

const change = (id: string, fields: Record<string, unknown>, by = owner) =>
  by.call('PATCH', `/posts/${id}`, fields)
const read = async (id: string) => (await owner.call('GET', `/posts/${id}`)).body.data

test('a post needs only its text; every key is in the answer', async () => {
  const post = await create()
  expect(post).toEqual({
    id: expect.stringMatching(/^post_[0-9A-HJKMNP-TV-Z]{36}$/),
    status: 'draft',
    publish_type: 'regular',
    text: 'Hello',
    media: [],
    thumbnail_media_id: null,
    subposts: [],
    accounts: [],
    account_customizations: [],
    labels: [],
    scheduled_at: null,
    slot_id: null,
    approval: { status: 'not_required', reason: null, decided_at: null },
    notes: null,
    short_link_enabled: false,
    title: null,
    link: null,
    terms_and_conditions: null,
    coupon_code: null,
    start_date: null,
    end_date: null,
    cta: null,
    topic_type: null,
    privacy_status: null,
    allow_comments: null,
    allow_duet: null,
    allow_stitch: null,
    created_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
    published_at: null,
    publications: [],
  })
  expect(await read(post.id)).toEqual(post)
})

test('a scheduled post keeps its time in UTC', async () => {
  const post = await scheduled(owner, { scheduled_at: '2026-03-02T09:30:00+05:45' })
  expect(post).toMatchObject({ status: 'scheduled', scheduled_at: '2026-03-02T03:45:00.000Z' })
})

test('accounts are sent as IDs or objects, and answered as objects', async () => {
  const [first, second, third] = [await owner.addSocial(), await owner.addSocial(), await owner.addSocial()]
  const { accounts } = await create({ accounts: [first, { id: second }, { id: third, boardId: 'b1' }] })
  expect(accounts).toEqual([
    { id: first, board_id: null },
    { id: second, board_id: null },
    { id: third, board_id: 'b1' },
  ])
})

describe('what is refused on creation', () => {
  const good = { text: 'Hello' }
  test.each([
    { body: {}, field: 'text', message: 'text is required' },
    { body: { text: ' \n' }, field: 'text', message: 'text is required' },
    { body: { text: null }, field: 'text', message: 'text is required' },
    { body: { text: 5 }, field: 'text', message: 'text must be a string or null' },
    { body: { text: 'x'.repeat(65_537) }, field: 'text', message: 'text must be at most 65,536 characters' },
    {
      body: { ...good, status: 'published' },
      field: 'status',
      message: 'status must be one of: draft, scheduled',
    },
    { body: { ...good, publish_type: 'reel' }, field: 'publish_type', message: /regular, short, story/ },
    { body: { ...good, labels: 'a' }, field: 'labels', message: 'labels must be an array of label IDs' },
    { body: { ...good, labels: ['a', 'a'] }, field: 'labels', message: /duplicate label IDs/ },
    { body: { ...good, accounts: ['a', { id: 'a' }] }, field: 'accounts', message: /duplicate account IDs/ },
    {
      body: { ...good, labels: ['lbl_nothing'] },
      field: 'labels',
      message: 'One or more labels were not found',
    },
    {
      body: { ...good, accounts: ['soc_x'] },
      field: 'accounts',
      message: 'One or more accounts were not found',
    },
    { body: { ...good, media: ['med_x'] }, field: 'media', message: 'One or more media were not found' },
    {
      body: { ...good, subposts: [[]] },
      field: 'subposts[0]',
      message: /subposts must be an array of objects/,
    },
    { body: { ...good, scheduled_at: 'soon' }, field: 'scheduled_at', message: /ISO 8601/ },
    {
      body: { ...good, scheduled_at: '2026-12-01T10:00:00' },
      field: 'scheduled_at',
      message: /Z or an offset/,
    },
    {
      body: { ...good, scheduled_at: '2026-12-01T10:00:00Z' },
      field: 'scheduled_at',
      message: 'scheduled_at is only allowed when status is scheduled',
    },
    {
      body: { ...good, status: 'scheduled', scheduled_at: '2026-12-01T10:00:00Z' },
      field: 'accounts',
      message: 'accounts is required when status is scheduled',
    },
  ])('$message', async ({ body, field, message }) => {
    const before = (await owner.call('GET', '/posts')).body.data.total
    expect(await owner.call('POST', '/posts', body)).toMatchObject({
      status: 400,
      body: {
        success: false,
        message: expect.stringMatching(message),
        errors: expect.arrayContaining([expect.objectContaining({ field })]),
      },
    })
    expect((await owner.call('GET', '/posts')).body.data.total).toBe(before)
  })

  test('a schedule without a time, or in the past', async () => {
    const accounts = [await owner.addSocial()]
    const send = (fields: object) =>
      owner.call('POST', '/posts', { ...good, accounts, status: 'scheduled', ...fields })
    expect(await send({})).toMatchObject({
      status: 400,
      body: { message: 'scheduled_at is required when status is scheduled' },
    })
    expect(await send({ scheduled_at: world.clock.now() })).toMatchObject({
      status: 400,
      body: { message: 'scheduled_at must be in the future' },
    })
  })

  test('a text that a network would not take, when it is scheduled', async () => {
    const id = await owner.addSocial({ provider_type: 'bluesky' })
    const post = { text: 'x'.repeat(301), accounts: [id] }
    const draft = await create(post)
    const message = `accounts[${id}]: bluesky allows at most 300 characters`
    const schedule = { status: 'scheduled', scheduled_at: inSeconds(60) }
    expect(await owner.call('POST', '/posts', { ...post, ...schedule })).toMatchObject({
      status: 400,
      body: { message },
    })
    expect(await change(draft.id, schedule)).toMatchObject({ status: 400, body: { message } })
    expect(await change(draft.id, { ...schedule, text: 'x'.repeat(300) })).toMatchObject({ status: 200 })
  })
})

describe('somebody else’s things', () => {
  test('may not be named', async () => {
    for (const fields of [{ labels: [await other.addLabel()] }, { accounts: [await other.addSocial()] }]) {
      expect(await owner.call('POST', '/posts', { text: 'Hello', ...fields })).toMatchObject({
        status: 403,
        body: { success: false, message: 'Access denied' },
      })
    }
  })

  test('may neither be read, changed nor deleted', async () => {
    const { id } = await create({}, other)
    for (const [method, body] of [['GET'], ['PATCH', { text: 'Mine' }], ['DELETE']] as const) {
      expect(await owner.call(method, `/posts/${id}`, body)).toMatchObject({
        status: 403,
        body: { message: 'Access denied' },
      })
    }
    expect(await other.call('GET', `/posts/${id}`)).toMatchObject({
      status: 200,
      body: { data: { text: 'Hello' } },
    })
  })

  test('pending and removed accounts are not found', async () => {
    const pending = await owner.addSocial({ status: 'pending' })
    const removed = await owner.addSocial()
    await world.operator('DELETE', `/admin/owners/${owner.id}/socials/${removed}`)
    for (const id of [pending, removed]) {
      expect(await owner.call('POST', '/posts', { text: 'Hello', accounts: [id] })).toMatchObject({
        status: 400,
        body: { message: 'One or more accounts were not found' },
      })
    }
  })
})

describe('a change', () => {
  test('replaces what is sent and leaves the rest', async () => {
    const label = await owner.addLabel()
    const post = await create({ labels: [label], notes: 'Keep me' })
    world.clock.advance(1)
    const changed = await change(post.id, { text: 'New', labels: [] })
    expect(changed.body.data).toEqual({ ...post, text: 'New', labels: [], updated_at: world.clock.now() })
  })

  test('of a fetched post sent back changes nothing', async () => {
    const post = await scheduled(owner, { labels: [await owner.addLabel()] })
    const reply = await change(post.id, post)
    expect(reply).toMatchObject({ status: 200, body: { data: { ...post, updated_at: expect.any(String) } } })
  })

  test('of a fetched post sent back is taken even when its account was removed meanwhile', async () => {
    const post = await scheduled()
    await world.operator('DELETE', `/admin/owners/${owner.id}/socials/${post.accounts[0].id}`)
    expect(await change(post.id, { ...post, text: 'New' })).toMatchObject({
      status: 200,
      body: { data: { text: 'New' } },
    })
  })

  test.each([
    { when: 'nothing', body: {} },
    { when: 'only what cannot be written', body: { id: 'x', created_at: 'x', publications: [] } },
  ])('of $when is refused', async ({ body }) => {
    const { id } = await create()
    expect(await change(id, body)).toMatchObject({
      status: 400,
      body: { message: 'No valid fields provided for update' },
    })
  })

  test('schedules, puts off and unschedules', async () => {
    const { id } = await create({ accounts: [await owner.addSocial()] })
    const first = inSeconds(600)
    expect((await change(id, { status: 'scheduled', scheduled_at: first })).body.data).toMatchObject({
      status: 'scheduled',
      scheduled_at: first,
    })
    const second = inSeconds(900)
    expect((await change(id, { scheduled_at: second })).body.data).toMatchObject({
      status: 'scheduled',
      scheduled_at: second,
    })
    expect((await change(id, { scheduled_at: null })).body.data).toMatchObject({
      status: 'draft',
      scheduled_at: null,
    })
    expect(await change(id, { scheduled_at: second })).toMatchObject({ status: 400 })
    expect(await change(id, { status: 'scheduled', scheduled_at: null })).toMatchObject({
      status: 400,
      body: { message: 'scheduled_at is required when status is scheduled' },
    })
  })

  test('to a draft clears its schedule, and it does not go out', async () => {
    const post = await scheduled(owner, { scheduled_at: inSeconds(5) })
    expect((await change(post.id, { status: 'draft' })).body.data).toMatchObject({
      status: 'draft',
      scheduled_at: null,
    })
    await world.pass(10)
    expect(await read(post.id)).toMatchObject({ status: 'draft', publications: [] })
    expect(await owner.sandbox(post.accounts[0].id)).toEqual([])
  })

  test('puts a post off that is about to go out', async () => {
    const post = await scheduled(owner, { scheduled_at: inSeconds(5) })
    await change(post.id, { scheduled_at: inSeconds(12) })
    await world.pass(10)
    expect(await owner.sandbox(post.accounts[0].id)).toEqual([])
    await world.pass(5)
    expect(await owner.sandbox(post.accounts[0].id)).toHaveLength(1)
  })

  test('queues a failed post again for the accounts that did not get it', async () => {
    const [good, bad] = [await owner.addSocial(), await owner.addSocial({ sandbox_behavior: 'fail' })]
    const { id } = await scheduled(owner, { accounts: [good, bad], scheduled_at: inSeconds(1) })
    await world.pass(2)
    expect(await read(id)).toMatchObject({ status: 'failed' })
    await world.operator('PATCH', `/admin/owners/${owner.id}/socials/${bad}`, { sandbox_behavior: 'publish' })
    await change(id, { status: 'scheduled', scheduled_at: inSeconds(1) })
    await world.pass(2)
    expect(await read(id)).toMatchObject({
      status: 'published',
      publications: [{ status: 'published' }, { status: 'published' }],
    })
    expect([await owner.sandbox(good), await owner.sandbox(bad)]).toMatchObject([
      { length: 1 },
      { length: 1 },
    ])
  })
})

describe('where posts need approval', () => {
  test('nothing is scheduled without it', async () => {
    const careful = await makeOwner(world, { requires_approval: true })
    const post = await scheduled(careful, { scheduled_at: inSeconds(2) })
    expect(post).toMatchObject({ status: 'pending_approval', approval: { status: 'pending' } })
    expect(post.scheduled_at).toBe(inSeconds(2))
    await world.pass(5)
    expect(await careful.sandbox(post.accounts[0].id)).toEqual([])
  })
})

describe('deletion', () => {
  test('answers the post as it was; a second one finds nothing', async () => {
    const post = await scheduled(owner, { scheduled_at: inSeconds(2) })
    expect(await owner.call('DELETE', `/posts/${post.id}`)).toMatchObject({
      status: 200,
      body: { data: post },
    })
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { text: 'x' }]] as const) {
      expect(await owner.call(method, `/posts/${post.id}`, body)).toMatchObject({
        status: 404,
        body: { message: 'Post not found' },
      })
    }
    await world.pass(5)
    expect(await owner.sandbox(post.accounts[0].id)).toEqual([])
  })

  test('keeps the record, and leaves no facet row', async () => {
    const post = await create({ labels: [await owner.addLabel()] })
    const stored = (await world.services.posts.find(post.id))!
    await owner.call('DELETE', `/posts/${post.id}`)
    expect(await world.table.get({ pk: `${post.id.slice(5, 15)}#POST#DELETED`, sk: post.id })).toMatchObject({
      text: 'Hello',
    })
    expect(await world.table.getMany(facetKeys(stored))).toEqual([])
  })
})

test('the list is newest first, exact, and without deleted posts', async () => {
  const lister = await makeOwner(world)
  const made: string[] = []
  for (let n = 0; n < 7; n++) {
    made.unshift((await create({ text: `Post ${n}` }, lister)).id)
    world.clock.advance(1)
  }
  await lister.call('DELETE', `/posts/${made[3]}`)
  const wanted = made.toSpliced(3, 1)
  const first = await lister.call('GET', '/posts?limit=4')
  expect(first.body.data).toMatchObject({ total: 6, has_more: true })
  const second = await lister.call('GET', `/posts?limit=4&cursor=${first.body.data.next_cursor}`)
  expect(second.body.data).toMatchObject({ total: 6, has_more: false, next_cursor: null })
  const ids = [...first.body.data.items, ...second.body.data.items].map((post: any) => post.id)
  expect(ids).toEqual(wanted)
})

test('totals stay exact under parallel creates and deletes', async () => {
  const busy = await makeOwner(world)
  const created = await Promise.all(Array.from({ length: 24 }, () => create({}, busy)))
  await Promise.all(created.slice(0, 10).map(({ id }) => busy.call('DELETE', `/posts/${id}`)))
  await Promise.all(created.slice(0, 10).map(({ id }) => busy.call('DELETE', `/posts/${id}`)))
  expect((await busy.call('GET', '/posts')).body.data).toMatchObject({ total: 14, has_more: false })
})

test('a deleted label comes off the posts that carry it, and off nothing else', async () => {
  const [gone, kept] = [await owner.addLabel(), await owner.addLabel()]
  const posted = await Promise.all([
    create({ labels: [gone, kept] }),
    scheduled(owner, { labels: [kept, gone], scheduled_at: inSeconds(30) }),
  ])
  await owner.call('DELETE', `/labels/${gone}`)
  await takeOffLabel(gone as never, world.services)
  await takeOffLabel(gone as never, world.services)
  for (const { id } of posted) expect(await read(id)).toMatchObject({ labels: [kept] })
  await world.pass(35)
  expect(await read(posted[1]!.id)).toMatchObject({ status: 'published' })
})
