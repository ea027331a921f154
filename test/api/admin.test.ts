import { beforeAll, describe, expect, test } from 'vitest'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { makeOwner } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels], now: '2026-03-01T12:00:00Z' })
})

describe('owners', () => {
  test('an owner starts with the default settings', async () => {
    const created = await world.operator('POST', '/admin/owners', { type: 'user', name: ' Ada ' })
    expect(created).toMatchObject({
      status: 201,
      body: {
        data: {
          id: expect.stringMatching(/^own_[0-9A-HJKMNP-TV-Z]{36}$/),
          type: 'user',
          name: 'Ada',
          settings: { timezone: 'UTC', exact_slot_times: false, requires_approval: false },
        },
      },
    })
    const { id } = created.body.data
    expect((await world.operator('GET', `/admin/owners/${id}`)).body).toEqual(created.body)
  })

  test('each setting changes by itself', async () => {
    const { id } = await makeOwner(world, { timezone: 'Europe/Paris' })
    const path = `/admin/owners/${id}`
    await world.operator('PATCH', path, { settings: { requires_approval: true } })
    const changed = await world.operator('PATCH', path, { name: 'New', settings: { exact_slot_times: true } })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        data: {
          name: 'New',
          settings: { timezone: 'Europe/Paris', exact_slot_times: true, requires_approval: true },
        },
      },
    })
  })

  test.each([
    { body: { name: 'A' }, message: 'type is required' },
    { body: { type: 'user' }, message: 'name is required' },
    { body: { type: 'robot', name: 'A' }, message: 'type must be one of: user, workspace' },
    { body: { type: 'user', name: '' }, message: 'name must be a non-empty string' },
    { body: { type: 'user', name: 'A', settings: [] }, message: 'settings must be an object' },
    ...['Mars/Olympus', '+01:00', 'BST', '', 7].map((timezone) => ({
      body: { type: 'user', name: 'A', settings: { timezone } },
      message: 'settings.timezone must be a valid IANA timezone',
    })),
    {
      body: { type: 'user', name: 'A', settings: { requires_approval: 'no' } },
      message: 'settings.requires_approval must be true or false',
    },
  ])('$message', async ({ body, message }) => {
    expect(await world.operator('POST', '/admin/owners', body)).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  test('a change of nothing is refused', async () => {
    const { id } = await makeOwner(world)
    expect(await world.operator('PATCH', `/admin/owners/${id}`, { id: 'other' })).toMatchObject({
      status: 400,
      body: { message: 'No valid fields provided for update' },
    })
  })

  test('the list is newest first and exact', async () => {
    const before = (await world.operator('GET', '/admin/owners')).body.data.total
    world.clock.advance(1)
    const first = await makeOwner(world)
    world.clock.advance(1)
    const second = await makeOwner(world)
    const page = await world.operator('GET', '/admin/owners?limit=1')
    expect(page.body.data).toMatchObject({ items: [{ id: second.id }], total: before + 2, has_more: true })
    const next = await world.operator('GET', `/admin/owners?limit=1&cursor=${page.body.data.next_cursor}`)
    expect(next.body.data.items).toMatchObject([{ id: first.id }])
  })

  test('with an owner, its keys are gone', async () => {
    const owner = await makeOwner(world)
    expect((await owner.call('GET', '/labels')).status).toBe(200)
    expect(await world.operator('DELETE', `/admin/owners/${owner.id}`)).toMatchObject({
      status: 200,
      body: { data: { id: owner.id } },
    })
    expect((await owner.call('GET', '/labels')).status).toBe(401)
    for (const method of ['GET', 'DELETE']) {
      expect(await world.operator(method, `/admin/owners/${owner.id}`)).toMatchObject({
        status: 404,
        body: { message: 'Owner not found' },
      })
    }
  })
})

describe('keys', () => {
  test('a key is shown once, and only its hash is kept', async () => {
    const owner = await makeOwner(world)
    const secret = owner.key.split('_')[2]!
    const list = await world.operator('GET', `/admin/owners/${owner.id}/keys`)
    expect(list.body.data).toMatchObject({
      total: 1,
      items: [{ id: owner.keyId, name: 'Tests', last_four: owner.key.slice(-4), last_used_at: null }],
    })
    expect(JSON.stringify(list.body)).not.toContain(secret)
    const { items } = await world.table.query({ pk: `KEY#${owner.keyId}` })
    expect(JSON.stringify(items)).toContain('secret_sha256')
    expect(JSON.stringify(items)).not.toContain(secret)
  })

  test('its last use is noted, to the hour', async () => {
    const owner = await makeOwner(world)
    const lastUse = async () =>
      (await world.operator('GET', `/admin/owners/${owner.id}/keys`)).body.data.items[0].last_used_at
    const first = world.clock.now()
    await owner.call('GET', '/labels')
    world.clock.advance(600)
    await owner.call('GET', '/labels')
    expect(await lastUse()).toBe(first)
    world.clock.advance(3_600)
    await owner.call('GET', '/labels')
    expect(await lastUse()).toBe(world.clock.now())
  })

  test('a revoked key opens nothing: at once here, after half a minute in every other process', async () => {
    const owner = await makeOwner(world)
    const elsewhere = world.openAnother()
    const find = () => elsewhere.apiKeys.find(owner.keyId as never, world.clock.now())
    expect(await find()).toBeDefined()
    const path = `/admin/owners/${owner.id}/keys/${owner.keyId}`
    expect(await world.operator('DELETE', path)).toMatchObject({
      status: 200,
      body: { data: { id: owner.keyId } },
    })
    expect((await owner.call('GET', '/labels')).status).toBe(401)
    world.clock.advance(30)
    expect(await find()).toBeUndefined()
    expect(await world.operator('DELETE', path)).toMatchObject({
      status: 404,
      body: { message: 'Key not found' },
    })
  })

  test('a key is not to be found below another owner', async () => {
    const [owner, other] = [await makeOwner(world), await makeOwner(world)]
    const reply = await world.operator('DELETE', `/admin/owners/${other.id}/keys/${owner.keyId}`)
    expect(reply.status).toBe(404)
    expect((await owner.call('GET', '/labels')).status).toBe(200)
  })
})
