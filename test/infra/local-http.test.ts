import { request } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveHttp } from '../../infra/local/http-server.ts'
import type { Call } from '../../infra/local/lambda.ts'
import type { DoorRoute } from '../../infra/routes.ts'

/** A door that answers with its own name and the event that it was handed. */
const echo = (door: string) => async (event: object) => ({
  statusCode: 200,
  body: JSON.stringify({ door, event }),
})

let server: Awaited<ReturnType<typeof serveHttp>>
beforeAll(async () => {
  const route = (method: DoorRoute['method'], path: string, call: Call = echo(`${method} ${path}`)) => ({
    method,
    path,
    call,
  })
  server = await serveHttp(0, {
    routes: [
      route('GET', '/{anything+}'),
      route('GET', '/labels/{id}'),
      route('GET', '/labels/all'),
      route('POST', '/labels'),
      route('GET', '/labels/{id}/posts'),
      route('GET', '/media/{id+}'),
      route('GET', '/media/uploads'),
      route('PATCH', '/media/{id+}'),
      route('GET', '/throws', async () => Promise.reject(new Error('a secret of the inside'))),
      route('GET', '/picture', async () => ({
        statusCode: 201,
        headers: { 'content-type': 'image/png', 'x-count': 2 },
        cookies: ['a=1', 'b=2'],
        body: Buffer.from([0, 255, 128]).toString('base64'),
        isBase64Encoded: true,
      })),
      route('GET', '/plain', async () => ({ hello: 'world' })),
    ],
    functionUrls: [{ under: '/triggers/', call: echo('function URL') }],
    unmatched: echo('unmatched'),
  })
})
afterAll(() => server.stop())

const send = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init)

async function seen(
  path: string,
  init?: RequestInit,
): Promise<{ door: string; event: APIGatewayProxyEventV2 }> {
  return (await send(path, init)).json() as Promise<{ door: string; event: APIGatewayProxyEventV2 }>
}

describe('the route that a request is led to', () => {
  test.each([
    { method: 'GET', path: '/labels/lbl_1', door: 'GET /labels/{id}', parameters: { id: 'lbl_1' } },
    { method: 'GET', path: '/labels/a%20b', door: 'GET /labels/{id}', parameters: { id: 'a b' } },
    { method: 'GET', path: '/labels/all', door: 'GET /labels/all', parameters: undefined },
    { method: 'GET', path: '/labels/a/posts', door: 'GET /labels/{id}/posts', parameters: { id: 'a' } },
    {
      method: 'GET',
      path: '/labels/a%2Fb',
      door: 'GET /{anything+}',
      parameters: { anything: 'labels/a/b' },
    },
    { method: 'GET', path: '/media/a%2Fb%2520c', door: 'GET /media/{id+}', parameters: { id: 'a/b%20c' } },
    { method: 'GET', path: '/media/a/b', door: 'GET /media/{id+}', parameters: { id: 'a/b' } },
    { method: 'GET', path: '/media/uploads', door: 'GET /media/uploads', parameters: undefined },
    { method: 'GET', path: '/media/', door: 'GET /{anything+}', parameters: { anything: 'media/' } },
    { method: 'POST', path: '/labels', door: 'POST /labels', parameters: undefined },
    { method: 'POST', path: '/labels/', door: 'unmatched', parameters: undefined },
    { method: 'DELETE', path: '/labels/lbl_1', door: 'unmatched', parameters: undefined },
    { method: 'PATCH', path: '/media/', door: 'unmatched', parameters: undefined },
  ])('$method $path → $door', async ({ method, path, door, parameters }) => {
    const { door: reached, event } = await seen(path, { method })
    expect(reached).toBe(door)
    expect(event.routeKey).toBe(door === 'unmatched' ? '$default' : door)
    expect(event.pathParameters).toEqual(parameters)
  })

  test('a path that is no valid encoding names nothing', async () => {
    const reply = await send('/labels/%zz')
    expect(await reply.json()).toMatchObject({ door: 'unmatched', event: { rawPath: '/labels/%zz' } })
  })
})

describe('the event that a door is handed', () => {
  test('has the path decoded, in the payload and in its context', async () => {
    const { event } = await seen('/labels/a%20b?x=1')
    expect(event).toMatchObject({ version: '2.0', rawPath: '/labels/a b', rawQueryString: 'x=1' })
    expect(event.requestContext).toMatchObject({
      stage: '$default',
      routeKey: 'GET /labels/{id}',
      http: { method: 'GET', path: '/labels/a b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
    })
    expect(event.requestContext.requestId).toMatch(/.{8}/)
    expect(event.requestContext.time).toMatch(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/)
  })

  test('has the path of a function URL as it was sent', async () => {
    const { door, event } = await seen('/triggers/trg%2F1?text=a%20b', { method: 'POST' })
    expect(door).toBe('function URL')
    expect(event).toMatchObject({
      routeKey: '$default',
      rawPath: '/triggers/trg%2F1',
      rawQueryString: 'text=a%20b',
    })
    expect(event.pathParameters).toBeUndefined()
  })

  test('joins query keys that come twice, and decodes them', async () => {
    const { event } = await seen('/labels/a?label=x%2Cy&label=z&q=a+b%26c&empty=')
    expect(event.queryStringParameters).toEqual({ label: 'x,y,z', q: 'a b&c', empty: '' })
  })

  test('has no query parameters where there is no query', async () => {
    const { event } = await seen('/labels/a')
    expect(event).toMatchObject({ rawQueryString: '' })
    expect(event.queryStringParameters).toBeUndefined()
  })

  test('has header names in lower case, joins those that come twice, and keeps cookies apart', async () => {
    const headers: [string, string][] = [
      ['X-Twice', 'one'],
      ['X-TWICE', 'two'],
      ['Cookie', 'a=1; b=2'],
    ]
    const { event } = await seen('/labels/a', { headers })
    expect(event.headers['x-twice']?.replaceAll(' ', '')).toBe('one,two')
    expect(event.cookies).toEqual(['a=1', 'b=2'])
    expect(event.headers).not.toHaveProperty('cookie')
  })

  test.each([
    { type: 'application/json', encoded: false },
    { type: 'application/json; charset=utf-8', encoded: false },
    { type: 'application/problem+json', encoded: false },
    { type: 'text/plain', encoded: false },
    { type: 'application/x-www-form-urlencoded', encoded: false },
    { type: 'application/octet-stream', encoded: true },
    { type: 'image/png', encoded: true },
    { type: 'application/jsonish', encoded: true },
  ])('has a body of $type, base64: $encoded', async ({ type, encoded }) => {
    const { event } = await seen('/labels', {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{"ü":1}',
    })
    expect(event.isBase64Encoded).toBe(encoded)
    expect(Buffer.from(event.body ?? '', encoded ? 'base64' : 'utf8').toString()).toBe('{"ü":1}')
  })

  test('has the bytes of a binary body untouched', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const { event } = await seen('/labels', { method: 'POST', body: bytes })
    expect(Buffer.from(event.body ?? '', 'base64')).toEqual(Buffer.from(bytes))
  })

  test('has no body where none was sent', async () => {
    const { event } = await seen('/labels', { method: 'POST' })
    expect(event.body).toBeUndefined()
    expect(event.isBase64Encoded).toBe(false)
  })
})

describe('the answer that a caller gets', () => {
  test("carries the door's status, headers, cookies and bytes", async () => {
    const reply = await send('/picture')
    expect(reply.status).toBe(201)
    expect(reply.headers.get('content-type')).toBe('image/png')
    expect(reply.headers.get('x-count')).toBe('2')
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from([0, 255, 128]))
  })

  test('is the JSON of a result that names no status', async () => {
    const reply = await send('/plain')
    expect({ status: reply.status, body: await reply.json() }).toEqual({
      status: 200,
      body: { hello: 'world' },
    })
  })

  test("is the gateway's own when a door throws, and tells nothing of the inside", async () => {
    const reply = await send('/throws')
    expect({ status: reply.status, body: await reply.text() }).toEqual({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    })
  })

  test.each([
    { size: 'of exactly 10 MB is let through', bytes: 10 * 1024 * 1024, status: 200 },
    { size: 'over 10 MB is refused', bytes: 10 * 1024 * 1024 + 1, status: 413 },
  ])('to a body $size', async ({ bytes, status }) => {
    const reply = await send('/labels', { method: 'POST', body: new Uint8Array(bytes) })
    expect(reply.status).toBe(status)
    if (status === 413) expect(await reply.json()).toEqual({ message: 'Request Too Long' })
    else await reply.arrayBuffer()
  })

  test('to a body of unknown length is a refusal once it passes 10 MB', async () => {
    const upload = request({ host: '127.0.0.1', port: server.port, method: 'POST', path: '/labels' })
    const status = new Promise((resolve, reject) => {
      upload.on('response', (reply) => resolve(reply.statusCode))
      upload.on('error', reject)
    })
    const megabyte = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent <= 10; sent++) upload.write(megabyte)
    expect(await status).toBe(413)
    upload.on('error', () => undefined)
    upload.destroy()
  })
})

test('a server that stops lets the request under way finish', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const slow = async () => {
    started.resolve()
    await finish.promise
    return { statusCode: 200, body: 'done' }
  }
  const stopping = await serveHttp(0, { routes: [], functionUrls: [], unmatched: slow })
  const reply = fetch(`http://127.0.0.1:${stopping.port}/`)
  await started.promise
  const stopped = stopping.stop()
  finish.resolve()
  expect(await (await reply).text()).toBe('done')
  await stopped
})
