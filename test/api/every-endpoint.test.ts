import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#shared/edge/route.ts'
import { routeKeyOf } from '#shared/edge/route.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as plan } from '../../functions/plan/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { routes as service } from '../../functions/service/api.ts'
import { routes as socials } from '../../functions/socials/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, operatorKey, type World } from '../support/world.ts'

const routes = [...service, ...posts, ...labels, ...plan, ...socials, ...admin]
const keyed = routes.filter(({ access }) => access !== 'open')
const taking = routes.filter(({ body }) => body)
const named = (some: Route[]) => some.map((route) => ({ name: routeKeyOf(route), route }))

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes })
  owner = await makeOwner(world)
})

/** A path of the route, with IDs that nothing has. */
const pathOf = ({ path }: Route) => path.replace('{owner}', owner.id).replace(/\{\w+\+?\}/g, 'nothing')
const rightKey = ({ access }: Route) => (access === 'operator' ? operatorKey : owner.key)

describe('a credential that proves nothing is 401', () => {
  test.each(named(keyed))('$name', async ({ route }) => {
    const [, body = '', secret = ''] = owner.key.split('_')
    const wrong = [
      undefined,
      'nonsense',
      `ph_${body}_${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`,
      `ph_${body.slice(0, -1)}${body.endsWith('0') ? '1' : '0'}_${secret}`,
      `ph_${body}_${secret}_`,
      route.access === 'operator' ? owner.key : operatorKey,
    ]
    for (const key of wrong) {
      // A broken body changes nothing: who may not come in learns nothing of what is inside.
      const reply = await world.call(route.method, pathOf(route), undefined, {
        rawBody: '{',
        ...(key && { key }),
      })
      expect(reply).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { success: false, message: 'Unauthorized', code: 'UNAUTHORIZED' },
      })
    }
  })
})

describe('a key is taken however the header is written', () => {
  test.each(['Bearer ', 'bearer ', 'BEARER  '])('%s', async (scheme) => {
    const headers = { authorization: `${scheme}${owner.key}` }
    expect((await world.call('GET', '/labels', undefined, { headers })).status).toBe(200)
  })

  test.each(['Basic ', 'Bearer', ''])('but not as "%s"', async (scheme) => {
    const headers = { authorization: `${scheme}${owner.key}` }
    expect((await world.call('GET', '/labels', undefined, { headers })).status).toBe(401)
  })
})

describe('a body that cannot be read is refused', () => {
  test.each(named(taking))('$name', async ({ route }) => {
    const send = (rawBody: string, headers: Record<string, string> = {}) =>
      world.call(route.method, pathOf(route), undefined, { rawBody, headers, key: rightKey(route) })
    const bad = { success: false }

    for (const text of [...(route.bodyOptional ? [] : ['']), '{', "{'a':1}", 'undefined']) {
      expect(await send(text)).toMatchObject({
        status: 400,
        body: { ...bad, message: 'Request body must be valid JSON' },
      })
    }
    for (const text of ['[]', 'null', '"text"', '7', 'true']) {
      expect(await send(text)).toMatchObject({
        status: 400,
        body: { ...bad, message: 'Request body must be a JSON object' },
      })
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      expect(await send('{}', { 'content-type': type })).toMatchObject({ status: 415, body: bad })
    }
    expect(await send(`{"text":"${'x'.repeat(1024 * 1024)}"}`)).toMatchObject({ status: 413, body: bad })
    const deep = `{"text":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
    expect(await send(deep)).toMatchObject({
      status: 400,
      body: { message: 'Request body is nested too deeply' },
    })
  })

  test('half a character is refused where it would be kept, and ignored where it would not', async () => {
    const send = (rawBody: string) => world.call('POST', '/labels', undefined, { rawBody, key: owner.key })
    expect(await send(String.raw`{"title":"\ud800"}`)).toMatchObject({
      status: 400,
      body: { message: 'title must be well-formed Unicode', errors: [{ field: 'title' }] },
    })
    expect(await send(String.raw`{"title":"Good","colour":"\ud800"}`)).toMatchObject({ status: 201 })
  })

  test('JSON is JSON in base64, with a charset, and by a name of its own', async () => {
    const send = (headers: Record<string, string>, base64 = false) =>
      world.call('POST', '/labels', { title: 'Ünï' }, { headers, base64, key: owner.key })
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.acme+json']) {
      expect(await send({ 'content-type': type })).toMatchObject({ status: 201 })
    }
    expect(await send({}, true)).toMatchObject({ status: 201, body: { data: { title: 'Ünï' } } })
  })
})

describe('what nothing has is 404, whatever the ID looks like', () => {
  const withId = routes.filter(({ path, access }) => path.endsWith('{id}') && access === 'key')
  const odd = [
    'nothing',
    'lbl_',
    'x'.repeat(3000),
    'post_4Z7K2M9QWX01JE3Z5W8R0000000000000000',
    '%23%00',
    '..',
  ]
  test.each(named(withId))('$name', async ({ route }) => {
    for (const id of odd) {
      const body = route.body ? { title: 'x', text: 'x', is_active: true } : undefined
      const reply = await owner.call(route.method, route.path.replace('{id}', id), body)
      expect(reply).toMatchObject({ status: 404, body: { success: false, message: /not found$/ } })
    }
  })
})

describe('lists', () => {
  const lists = routes.filter(({ query }) => query)
  test.each(named(lists))('$name refuses limits and cursors that are none', async ({ route }) => {
    const get = (query: string) =>
      world.call('GET', `${pathOf(route)}?${query}`, undefined, { key: rightKey(route) })
    for (const limit of ['0', '-1', '1.5', 'ten', '', ' 5', '1e2', '5,6', '0x10', '٣']) {
      expect(await get(`limit=${encodeURIComponent(limit)}`)).toMatchObject({
        status: 400,
        body: { success: false, message: 'Invalid limit parameter' },
      })
    }
    for (const limit of ['1', '100', '101', '999999']) expect((await get(`limit=${limit}`)).status).toBe(200)
    const forged = Buffer.from(JSON.stringify({ v: 1, p: 'x', f: 'other list' })).toString('base64url')
    for (const cursor of ['', 'nonsense', '!!!', 'e30', Buffer.from('[]').toString('base64'), forged]) {
      expect(await get(`cursor=${encodeURIComponent(cursor)}`)).toMatchObject({
        status: 400,
        body: { success: false, message: 'Invalid cursor' },
      })
    }
  })
})

test('every answer carries the ID of its request', async () => {
  const good = await owner.call('GET', '/labels')
  expect(good.headers['x-request-id']).toMatch(/^request-/)
  const bad = await world.call('GET', '/labels')
  expect(bad.headers['x-request-id']).toBe(bad.body.request_id)
})

test('what goes wrong inside is 500, and tells nothing of it', async () => {
  const broken = await openWorld({
    routes,
    around: (table) => ({
      ...table,
      get: async (key, options) => {
        if (key.pk.endsWith('#LABEL')) throw new Error('arn:aws:dynamodb:secret')
        return table.get(key, options)
      },
    }),
  })
  const somebody = await makeOwner(broken)
  const reply = await somebody.call('GET', `/labels/lbl_${somebody.id.slice(4)}`)
  expect(reply).toMatchObject({
    status: 500,
    body: { success: false, message: 'Internal server error', code: 'INTERNAL_ERROR' },
  })
  expect(JSON.stringify(reply)).not.toContain('dynamodb')
})
