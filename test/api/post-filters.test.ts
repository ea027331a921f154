import { beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let other: OwnerInWorld
/** IDs that the queries name by letter. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels, ...posts], now: '2026-03-01T12:00:00Z' })
  owner = await makeOwner(world, { requires_approval: true })
  other = await makeOwner(world)
  for (const name of ['la', 'lb', 'unused']) ids[name] = await owner.addLabel()
  ids['theirs'] = await other.addLabel()
  for (const name of ['sa', 'sb']) ids[name] = await owner.addSocial()
  await create({ text: 'plain' })
  await create({ text: 'a', labels: [ids['la']] })
  await create({ text: 'b', labels: [ids['lb']], accounts: [ids['sb']] })
  await create({ text: 'ab', labels: [ids['la'], ids['lb']], accounts: [ids['sa']] })
  await create({
    text: 'waiting',
    labels: [ids['la']],
    accounts: [ids['sa'], ids['sb']],
    status: 'scheduled',
    scheduled_at: plusSeconds(world.clock.now(), 3_600),
  })
  const { id } = await create({ text: 'deleted', labels: [ids['la']], accounts: [ids['sa']] })
  await owner.call('DELETE', `/posts/${id}`)
  await create({ text: 'of another', labels: [ids['theirs']] }, other)
})

async function create(fields: Record<string, unknown>, by = owner) {
  const { status, body } = await by.call('POST', '/posts', fields)
  expect(status, JSON.stringify(body)).toBe(201)
  world.clock.advance(1)
  return body.data
}

/** GET /posts with the query, in which `{la}` stands for the label's ID. */
const list = (query: string, by = owner) =>
  by.call('GET', `/posts?${query.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`)

describe('a filter', () => {
  test.each([
    { query: 'status=draft', texts: ['ab', 'b', 'a', 'plain'] },
    { query: 'status=pending_approval', texts: ['waiting'] },
    { query: 'status=scheduled,publishing,published,failed', texts: [] },
    { query: 'status=draft,pending_approval,draft', texts: ['waiting', 'ab', 'b', 'a', 'plain'] },
    { query: 'labels={la}', texts: ['waiting', 'ab', 'a'] },
    { query: 'labels={la},{lb}', texts: ['waiting', 'ab', 'b', 'a'] },
    { query: 'labels={la}&labels={lb}', texts: ['waiting', 'ab', 'b', 'a'] },
    { query: 'labels={lb},%20{lb},', texts: ['ab', 'b'] },
    { query: 'labels={unused}', texts: [] },
    { query: 'socials={sa}', texts: ['waiting', 'ab'] },
    { query: 'socials={sa},{sb}', texts: ['waiting', 'ab', 'b'] },
    { query: 'labels={la}&socials={sa}', texts: ['waiting', 'ab'] },
    { query: 'labels={la}&socials={sa}&status=draft', texts: ['ab'] },
    { query: 'labels={la},{lb}&socials={sb}&status=draft,published', texts: ['b'] },
    { query: 'labels=', texts: ['waiting', 'ab', 'b', 'a', 'plain'] },
    { query: 'labels=&socials=,&status=draft', texts: ['ab', 'b', 'a', 'plain'] },
    { query: 'labels={theirs}', texts: [] },
    { query: 'labels={theirs},{lb}', texts: ['ab', 'b'] },
    { query: 'labels={sa}', texts: [] },
    { query: 'labels=nothing%23S%23{sa}', texts: [] },
    { query: 'socials=%00,%F0%9F%91%8D,lbl_', texts: [] },
    { query: `labels=${'x'.repeat(5_000)}`, texts: [] },
  ])('$query', async ({ query, texts }) => {
    const { status, body } = await list(query)
    expect(status).toBe(200)
    expect(body.data.items.map((post: any) => post.text)).toEqual(texts)
    expect(body.data).toMatchObject({ total: 5, has_more: false, next_cursor: null })
  })

  test('by the label of another owner finds nothing of theirs, and theirs is theirs', async () => {
    expect((await list('labels={theirs}', other)).body.data).toMatchObject({
      items: [{ text: 'of another' }],
      total: 1,
    })
  })
})

describe('what is refused', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `lbl_${n}`).join(',')
  const statusMessage = 'Invalid status filter'
  test.each([
    { query: 'status=', message: statusMessage },
    { query: 'status=draft,', message: statusMessage },
    { query: 'status=Draft', message: statusMessage },
    { query: 'status=draft,queued', message: statusMessage },
    { query: 'status=constructor', message: statusMessage },
    { query: 'status=nothing&labels={la}', message: statusMessage },
    { query: `labels=${many(21)}`, message: 'labels must name at most 20 IDs', field: 'labels' },
    { query: `socials=${many(21)}`, message: 'socials must name at most 20 IDs', field: 'socials' },
    { query: 'status=draft&limit=0', message: 'Invalid limit parameter' },
  ])('$query', async ({ query, message, field }) => {
    const { status, body } = await list(query)
    expect({ status, message: body.message, fields: body.errors?.map((each: any) => each.field) }).toEqual({
      status: 400,
      message,
      fields: field && [field],
    })
  })

  test('not twenty, nor one of them many times', async () => {
    expect(await list(`labels=${many(20)}`)).toMatchObject({ status: 200 })
    expect(await list(`labels=${Array.from({ length: 50 }, () => '{la}').join(',')}`)).toMatchObject({
      status: 200,
    })
    expect(await list(`status=${Array.from({ length: 50 }, () => 'draft').join(',')}`)).toMatchObject({
      status: 200,
    })
  })
})

describe('a cursor', () => {
  const first = async (query: string) => {
    const { data } = (await list(`${query}&limit=1`)).body
    expect(data.has_more).toBe(true)
    return data.next_cursor as string
  }

  test('leads through the whole list, and ends with it', async () => {
    const texts: string[] = []
    for (let cursor = ''; ; ) {
      const { data } = (await list(`labels={la},{lb}&limit=2${cursor && `&cursor=${cursor}`}`)).body
      texts.push(...data.items.map((post: any) => post.text))
      if (!data.has_more) break
      cursor = data.next_cursor
    }
    expect(texts).toEqual(['waiting', 'ab', 'b', 'a'])
  })

  test.each([
    { of: 'status=draft,failed&labels={la},{lb}', on: 'labels={lb},{la},{lb}&status=failed,draft' },
    { of: 'labels={la},none', on: 'labels={la}' },
    { of: 'labels=&status=draft', on: 'status=draft' },
    { of: 'labels=', on: 'socials=' },
  ])('of $of works for $on', async ({ of, on }) => {
    expect(await list(`${on}&cursor=${await first(of)}`)).toMatchObject({ status: 200 })
  })

  test.each([
    { of: 'status=draft', on: 'status=draft,failed' },
    { of: 'status=draft', on: 'limit=5' },
    { of: 'labels=', on: 'status=draft' },
    { of: 'labels={la}', on: 'labels={la},{lb}' },
    { of: 'labels={la}', on: 'labels={la}&status=draft' },
    { of: 'socials={sa}', on: 'socials=none' },
  ])('of $of does not work for $on', async ({ of, on }) => {
    expect(await list(`${on}&cursor=${await first(of)}`)).toMatchObject({
      status: 400,
      body: { message: 'Invalid cursor' },
    })
  })
})
