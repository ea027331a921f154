import type { Context } from 'aws-lambda'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as service } from '../../functions/service/api.ts'
import { handler as onUnmatched } from '../../functions/service/on-unmatched.ts'
import { whyUnmatched } from '../../functions/service/why-unmatched.ts'
import { httpEvent } from '../support/event.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...service, ...admin] })
  owner = await makeOwner(world)
})

describe('GET /status', () => {
  test('tells whose key it is, and masks the key', async () => {
    const reply = await owner.call('GET', '/status')
    const { data } = (await world.operator('GET', `/admin/owners/${owner.id}`)).body
    const [, body = '', secret = ''] = owner.key.split('_')
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    expect(reply.body).toEqual({
      success: true,
      data: {
        status: 'ok',
        token: expect.stringMatching(/^ph_[0-9A-Z]{14}\*{4}$/),
        username: data.name,
        owner: { id: owner.id, type: 'workspace' },
      },
    })
    expect(body).toContain(reply.body.data.token.slice(3, -4))
    const text = JSON.stringify(reply)
    for (let start = 0; start + 6 <= secret.length; start++)
      expect(text).not.toContain(secret.slice(start, start + 6))
  })

  test('a key whose owner is gone is no key', async () => {
    const leaver = await makeOwner(world)
    await leaver.call('GET', '/status')
    await world.operator('DELETE', `/admin/owners/${leaver.id}`)
    expect(await leaver.call('GET', '/status')).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized' },
    })
  })
})

test('GET /health needs no key', async () => {
  expect(await world.call('GET', '/health')).toMatchObject({
    status: 200,
    body: { success: true, data: { status: 'ok' } },
  })
})

test('GET /openapi.json is the bare description', async () => {
  const { status, headers, body } = await world.call('GET', '/openapi.json')
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json' })
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Posthaste' } })
})

describe('GET /docs', () => {
  let page: string
  let headers: Record<string, string>
  beforeAll(async () => {
    const reply = await world.call('GET', '/docs')
    page = reply.body
    headers = reply.headers
  })

  test('has every operation, and every link in it leads somewhere', async () => {
    const { body } = await world.call('GET', '/openapi.json')
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const item of Object.values<object>(body.paths)) {
      for (const { operationId } of Object.values<any>(item).filter((each) => each.operationId)) {
        expect(ids).toContain(operationId)
      }
    }
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.filter((id) => !ids.has(id))).toEqual([])
  })

  test('loads nothing and runs nothing, and says so to the browser', () => {
    expect(page).not.toMatch(/<(?:script|img|iframe|object|embed|form|base)\b|\bon\w+=|@import|url\(/i)
    const loaded = [...page.matchAll(/\b(?:src|href|action)="([^"#][^"]*)"/g)].map(([, target]) => target)
    expect(new Set(loaded)).toEqual(new Set(['data:,', 'openapi.json']))
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+';/),
    })
  })

  test('what the description says is text, never markup', () => {
    expect(page).toContain('Bearer &lt;API_KEY&gt;')
    expect(page).not.toContain('<API_KEY>')
  })
})

describe('what no route matches', () => {
  const call = async (method: string, path: string) => {
    const { statusCode, headers, body } = await onUnmatched(httpEvent([], { method, path }), {} as Context)
    return { status: statusCode, headers, body: JSON.parse(body ?? '') }
  }

  test.each([
    ['PUT', '/'],
    ['PUT', '/nothing'],
    ['PUT', '/Posts'],
    ['PUT', '/posts/'],
    ['PUT', '//posts'],
    ['PUT', '/posts//'],
    ['PUT', '/posts/one/two'],
    ['PUT', '/labels/one%2Ftwo'],
    ['PUT', '/posts/{id}/x'],
    ['PUT', '/admin/owners//keys'],
    ['PUT', '/__proto__'],
    ['PUT', '/constructor'],
    ['PUT', '/docs/../status'],
    ['OPTIONS', '/%00'],
    ['PUT', '/plan/slots//'],
    // The gateway knows no such route, whatever the description says.
    ['GET', '/posts'],
  ])('%s %s is 404', async (method, path) => {
    const { status, headers, body } = await call(method, path)
    expect(status).toBe(404)
    expect(headers).not.toHaveProperty('allow')
    expect(body).toMatchObject({ success: false, message: 'Not found', code: 'NOT_FOUND' })
    expect(headers?.['x-request-id']).toBe(body.request_id)
  })

  test.each([
    ['DELETE', '/status', 'GET'],
    ['POST', '/health', 'GET'],
    ['HEAD', '/docs', 'GET'],
    ['PUT', '/openapi.json', 'GET'],
    ['DELETE', '/posts', 'GET, POST'],
    ['HEAD', '/posts', 'GET, POST'],
    ['OPTIONS', '/labels', 'GET, POST'],
    ['PUT', '/labels/lbl_1', 'DELETE, GET, PATCH'],
    ['POST', '/posts/post_1', 'DELETE, GET, PATCH'],
    ['PUT', '/posts/%C3%A9%20%3F', 'DELETE, GET, PATCH'],
    ['TRACE', '/posts/a%0Ab', 'DELETE, GET, PATCH'],
    ['PATCH', '/socials', 'GET'],
    ['DELETE', '/socials/soc_1', 'GET'],
    ['PUT', '/admin/owners', 'GET, POST'],
    ['POST', '/admin/owners/own_1', 'DELETE, GET, PATCH'],
    ['get', '/posts', 'GET, POST'],
  ])('%s %s is 405, and only %s is allowed', async (method, path, allow) => {
    const { status, headers, body } = await call(method, path)
    expect(status).toBe(405)
    expect(headers?.allow).toBe(allow)
    expect(body).toMatchObject({ success: false, message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' })
  })

  test.each(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])(
    '%s with an empty ID is 400',
    async (method) => {
      expect(await call(method, '/socials/')).toMatchObject({
        status: 400,
        body: { message: 'Missing social ID' },
      })
      expect(await call(method, '/plan/slots/')).toMatchObject({
        status: 400,
        body: { message: 'Missing slot ID' },
      })
    },
  )

  test('a greedy parameter takes the rest, and a path of two kinds has the methods of both', () => {
    const greedy = { name: 'id', in: 'path', required: true, schema: {}, 'x-greedy': true }
    const known = {
      '/media/{id}': { parameters: [greedy], get: {} as never, delete: {} as never },
      '/media/uploads': { post: {} as never },
    }
    const allow = (path: string) => whyUnmatched({ method: 'PUT', path }, known).headers['allow']
    expect(allow('/media/a')).toBe('DELETE, GET')
    expect(allow('/media/a/b/c.jpg')).toBe('DELETE, GET')
    expect(allow('/media/uploads')).toBe('DELETE, GET, POST')
    expect(allow('/media/')).toBeUndefined()
    expect(allow('/media')).toBeUndefined()
  })
})
