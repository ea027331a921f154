import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { ok } from '#shared/edge/reply.ts'
import { type Route, route, routeKeyOf } from '#shared/edge/route.ts'
import { describeApi, describeService, format } from '../../infra/openapi.ts'
import { readEndpoints } from '../../infra/routes.ts'

const committed = await readFile(new URL('../../functions/service/openapi.json', import.meta.url), 'utf8')
const description = JSON.parse(committed)
const endpoints = Object.values(await readEndpoints()).flat()
const named = (some: Route[]) => some.map((each) => ({ name: routeKeyOf(each), endpoint: each }))
const operationOf = ({ method, path }: Route) =>
  description.paths[path.replaceAll('+}', '}')]?.[method.toLowerCase()]

/** A part of the description, its references followed. */
function follow(part: any): any {
  if (!part?.$ref) return part
  const steps: string[] = part.$ref.slice(2).split('/')
  return follow(steps.reduce((from, step) => from[step], description))
}

test('the committed file is what the routes say today: `npm run openapi` after a change', async () => {
  expect(format(await describeService())).toBe(committed)
})

test('every endpoint is described, and nothing else', () => {
  const described = Object.entries<object>(description.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    endpoints.map((each) => routeKeyOf(each).replaceAll('+}', '}')).toSorted(),
  )
})

test('operations have names of their own, and tags that are described', () => {
  const operations = endpoints.map(operationOf)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const tags: string[] = description.tags.map(({ name }: { name: string }) => name)
  expect(new Set(operations.flatMap((each) => each.tags))).toEqual(new Set(tags))
})

test('every reference leads somewhere, and every component is referred to', () => {
  const referred = new Set(
    [...committed.matchAll(/"\$ref": "#\/components\/([^"]+)"/g)].map(([, path]) => path),
  )
  const { securitySchemes: _, ...components } = description.components
  const defined = Object.entries<object>(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `${kind}/${name}`),
  )
  expect(referred).toEqual(new Set(defined))
})

describe('every answer that an endpoint can give is described', () => {
  test.each(named(endpoints))('$name', ({ endpoint }) => {
    const { path, access, body, query, refusals = [], status = 200 } = endpoint
    const { responses } = operationOf(endpoint)
    const expected = [
      status,
      ...(access === 'open' ? [] : [401]),
      ...(path.includes('{') ? [404] : []),
      ...(body ? [400, 413, 415] : []),
      ...(query ? [400] : []),
      ...refusals.map((refusal) => refusal.status),
      429,
      500,
    ].map(String)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected))
    for (const response of Object.values(responses)) {
      expect(follow(response).headers).toHaveProperty('x-request-id')
    }
    if (access !== 'open') expect(follow(responses['401']).headers).toHaveProperty('www-authenticate')
    for (const refusal of refusals) {
      const examples = Object.values<any>(
        follow(responses[refusal.status]).content['application/json'].examples ?? {},
      )
      const messages = examples.map(({ value }) => value.message)
      expect(messages).toEqual(expect.arrayContaining([...(refusal.messages ?? [])]))
    }
  })
})

test('a path with an ID is 403 for another owner’s, save below /admin', () => {
  const withId = endpoints.filter(
    ({ path, refusals = [] }) => path.includes('{') && !refusals.some((each) => each.status === 404),
  )
  for (const endpoint of withId) {
    expect('403' in operationOf(endpoint).responses, routeKeyOf(endpoint)).toBe(endpoint.access === 'key')
  }
})

describe('parameters and security are the route’s', () => {
  test.each(named(endpoints))('$name', ({ endpoint }) => {
    const { path, query, access } = endpoint
    const item = description.paths[path.replaceAll('+}', '}')]
    const operation = operationOf(endpoint)
    const namesIn = (place: string) =>
      [...(item.parameters ?? []), ...(operation.parameters ?? []).map(follow)]
        .filter((each) => each.in === place)
        .map(({ name }) => name)
    expect(namesIn('path')).toEqual([...path.matchAll(/\{(\w+)/g)].map(([, name]) => name))
    expect(namesIn('query')).toEqual(
      Object.keys(query && 'entries' in query ? (query.entries as object) : {}),
    )
    expect(operation.security).toEqual(
      { open: [], key: [{ apiKey: [] }], operator: [{ operatorKey: [] }] }[access],
    )
  })
})

describe('examples are what the endpoint takes and answers', () => {
  test.each(named(endpoints))('$name', ({ endpoint }) => {
    const { body, beforeParsing = (given) => given, reply, status = 200 } = endpoint
    const { requestBody, responses } = operationOf(endpoint)
    if (body) {
      const { example } = requestBody.content['application/json']
      expect(v.safeParse(body, beforeParsing(example)).issues).toBeUndefined()
    }
    const [content] = Object.values<any>(responses[status].content)
    expect(content.example).toBeDefined()
    if (!reply) return
    expect(content.example.success).toBe(true)
    expect(v.safeParse(reply, content.example.data).issues).toBeUndefined()
  })
})

describe('what schemas become', () => {
  let described: any
  const Thing = v.object({ id: v.pipe(v.string(), v.examples(['thg_1'])), ended_at: v.nullable(v.string()) })
  const greedy = route({
    method: 'POST',
    path: '/things/{id+}',
    access: 'key',
    summary: 'Change a thing',
    body: v.object({
      at: v.pipe(
        v.string('at must be an ISO 8601 datetime'),
        v.transform((text) => new Date(text)),
      ),
      owner: v.pipe(
        v.union([v.string(), v.object({ id: v.string() })]),
        v.transform((given) => (typeof given === 'string' ? given : given.id)),
      ),
      name: v.optional(
        v.pipe(
          v.string(),
          v.check((text) => text.length < 9, 'name must be at most 8 characters'),
        ),
        'x',
      ),
    }),
    reply: Thing,
    examples: { body: { at: '2026-12-01T09:00:00Z', owner: 'own_1' } },
    handle: async () => ok({}),
  })

  beforeAll(() => {
    const names = new Map<unknown, string>([
      [Thing, 'Thing'],
      [greedy, 'changeThing'],
    ])
    described = describeApi({ posts: [greedy] }, { version: '1.0.0', names })
  })

  test('bodies say what goes in: texts, not what they are turned into', () => {
    expect(described.paths['/things/{id}'].post.requestBody.content['application/json'].schema).toEqual({
      type: 'object',
      properties: {
        at: { type: 'string', description: 'Must be an ISO 8601 datetime.' },
        owner: {
          anyOf: [
            { type: 'string' },
            { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          ],
        },
        name: { type: 'string', description: 'Must be at most 8 characters.', default: 'x' },
      },
      required: ['at', 'owner'],
    })
  })

  test('replies with a name are components, nullable in one word', () => {
    expect(described.components.schemas.Thing).toEqual({
      type: 'object',
      properties: { id: { type: 'string', examples: ['thg_1'] }, ended_at: { type: ['string', 'null'] } },
      required: ['id', 'ended_at'],
    })
  })

  test('a greedy parameter is marked, and takes its example from what it names', () => {
    expect(described.paths['/things/{id}'].parameters).toEqual([
      expect.objectContaining({ name: 'id', in: 'path', example: 'thg_1', 'x-greedy': true }),
    ])
  })

  test('an endpoint that no file exports is an error, and so is a door without a heading', () => {
    expect(() => describeApi({ posts: [greedy] }, { version: '1', names: new Map() })).toThrow(
      /POST \/things/,
    )
    expect(() => describeApi({ things: [] }, { version: '1', names: new Map() })).toThrow(/"things"/)
  })
})
