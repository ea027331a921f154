import { beforeAll, describe, expect, test } from 'vitest'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels], now: '2026-03-01T12:00:00Z' })
  owner = await makeOwner(world)
})

test('a label can be created, read, renamed and deleted', async () => {
  const created = await owner.call('POST', '/labels', { title: '  Launch ' })
  expect(created).toMatchObject({
    status: 201,
    body: {
      success: true,
      data: {
        title: 'Launch',
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
      },
    },
  })
  const { id } = created.body.data
  expect((await owner.call('GET', `/labels/${id}`)).body.data).toEqual(created.body.data)
  const renamed = await owner.call('PATCH', `/labels/${id}`, { title: 'Relaunch' })
  expect(renamed).toMatchObject({ status: 200, body: { data: { id, title: 'Relaunch' } } })
  expect(await owner.call('DELETE', `/labels/${id}`)).toMatchObject({ status: 200, body: renamed.body })
  expect(await owner.call('GET', `/labels/${id}`)).toMatchObject({
    status: 404,
    body: { success: false, message: 'Label not found' },
  })
  expect(await owner.call('DELETE', `/labels/${id}`)).toMatchObject({ status: 404 })
})

test('titles need not be unique', async () => {
  await owner.addLabel('Twice')
  expect(await owner.call('POST', '/labels', { title: 'Twice' })).toMatchObject({ status: 201 })
})

describe('titles that are refused', () => {
  test.each([
    { when: 'missing', body: {}, message: 'title is required' },
    { when: 'empty', body: { title: '' }, message: 'title must be a non-empty string' },
    { when: 'blank', body: { title: ' \n ' }, message: 'title must be a non-empty string' },
    { when: 'null', body: { title: null }, message: 'title must be a non-empty string' },
    { when: 'no text', body: { title: 7 }, message: 'title must be a non-empty string' },
    { when: 'too long', body: { title: 'é'.repeat(101) }, message: 'title must be at most 100 characters' },
  ])('on create: $when', async ({ body, message }) => {
    expect(await owner.call('POST', '/labels', body)).toMatchObject({
      status: 400,
      body: { success: false, message, errors: [{ field: 'title', message }] },
    })
  })

  test.each([
    { when: 'nothing to change', body: {}, message: 'No valid fields provided for update' },
    { when: 'only unknown fields', body: { colour: 'red' }, message: 'No valid fields provided for update' },
    { when: 'empty', body: { title: ' ' }, message: 'title must be a non-empty string' },
    { when: 'null', body: { title: null }, message: 'title must be a non-empty string' },
  ])('on change: $when', async ({ body, message }) => {
    const id = await owner.addLabel()
    expect(await owner.call('PATCH', `/labels/${id}`, body)).toMatchObject({ status: 400, body: { message } })
  })
})

test('a hundred characters are a hundred, however they are encoded', async () => {
  const title = '👍'.repeat(100)
  expect(await owner.call('POST', '/labels', { title })).toMatchObject({
    status: 201,
    body: { data: { title } },
  })
})

test('the list is newest first, and its total is exact', async () => {
  const lister = await makeOwner(world)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift(await lister.addLabel())
    world.clock.advance(1)
  }
  await lister.call('DELETE', `/labels/${ids[2]}`)
  const { body } = await lister.call('GET', '/labels')
  expect(body.data.items.map((label: { id: string }) => label.id)).toEqual(ids.toSpliced(2, 1))
  expect(body.data).toMatchObject({ total: 4, has_more: false, next_cursor: null })
})
