/** One endpoint as an operation of the description. */
import * as v from 'valibot'
import type { Route } from '#shared/edge/route.ts'
import { exampleOf } from './example.ts'
import type { JsonSchema, SchemaWriter } from './json-schema.ts'
import type { Names } from './names.ts'
import type { Parameter, PathParameter } from './parameters.ts'
import { queryParametersOf } from './parameters.ts'
import type { Response, Responses } from './refusals.ts'
import { refusalsOf } from './refusals.ts'

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: object[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: object
  responses: Responses
}

export interface Shared {
  names: Names
  schemas: SchemaWriter
  parameters: Record<string, Parameter>
  responses: Responses
  /** By reply schema: what the endpoint that creates such a thing answers. */
  created: ReadonlyMap<unknown, unknown>
}

export function operationOf(
  route: Route,
  path: PathParameter[],
  { tag, shared }: { tag: string; shared: Shared },
): Operation {
  const query = queryParametersOf(route.query, shared.schemas).map((each) => share(each, shared.parameters))
  return {
    operationId: operationIdOf(route, shared.names),
    tags: [tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: { open: [], key: [{ apiKey: [] }], operator: [{ operatorKey: [] }] }[route.access],
    ...(query.length > 0 && { parameters: query }),
    ...(route.body && { requestBody: bodyOf(route, route.body, shared.schemas) }),
    responses: {
      [route.status ?? 200]: successOf(route, shared),
      ...refusalsOf(route, path, shared.responses),
    },
  }
}

/** The name under which its file exports it; the application's own begin with `admin`, as the public ones may be called the same. */
function operationIdOf(route: Route, names: Names): string {
  const name = names.get(route)
  if (!name) throw new Error(`${route.method} ${route.path} is exported by no file beside its door`)
  return route.access === 'operator' ? `admin${name.charAt(0).toUpperCase()}${name.slice(1)}` : name
}

/** The first of its name is a component; one that differs stays where it is. */
function share(parameter: Parameter, shared: Record<string, Parameter>): Parameter | { $ref: string } {
  const name = parameter.name.charAt(0).toUpperCase() + parameter.name.slice(1)
  shared[name] ??= parameter
  const isSame = JSON.stringify(shared[name]) === JSON.stringify(parameter)
  return isSame ? { $ref: `#/components/parameters/${name}` } : parameter
}

function bodyOf({ examples }: Route, body: v.GenericSchema, { input, components }: SchemaWriter): object {
  const schema = input(body)
  const example = examples?.body ?? exampleOf(schema, components)
  return { required: true, content: { 'application/json': { schema, example } } }
}

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

function successOf(route: Route, shared: Shared): Response {
  const { reply, path, examples, status } = route
  if (!reply) return documentResponse(path, examples?.reply)
  const schema = shared.schemas.output(reply)
  const example = { success: true, data: replyExample(route, schema, shared) }
  return {
    description: status === 201 ? 'Created.' : 'Done.',
    headers,
    content: { 'application/json': { schema: inEnvelope(schema), example } },
  }
}

const inEnvelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { type: 'boolean', const: true }, data },
})

/** A document comes as it is, without the envelope. */
function documentResponse(path: string, example: unknown): Response {
  const isJson = path.endsWith('.json')
  const content = {
    schema: { type: isJson ? 'object' : 'string' },
    ...(example !== undefined && { example }),
  }
  return {
    description: 'The document.',
    headers,
    content: { [isJson ? 'application/json' : 'text/html']: content },
  }
}

function replyExample(route: Route, schema: JsonSchema, { schemas, created }: Shared): unknown {
  const { reply, examples } = route
  if (examples?.reply !== undefined) return examples.reply
  const example = created.get(reply) ?? exampleOf(schema, schemas.components)
  const item = created.get(itemOf(reply))
  return item ? { ...(example as object), items: [item] } : withSentFields(route, example)
}

/** What a list is a list of. */
function itemOf(reply: v.GenericSchema | undefined): unknown {
  const { items } = (reply && 'entries' in reply ? reply.entries : {}) as { items?: { item?: unknown } }
  return items?.item
}

/** What an endpoint that creates answers to the example of its body. */
export function createdExample(route: Route, { output, components }: SchemaWriter): unknown {
  const { reply, examples } = route
  return examples?.reply ?? (reply && withSentFields(route, exampleOf(output(reply), components)))
}

/** The reply with every field of the example body that fits into it as it is. */
function withSentFields({ reply, examples, beforeParsing, body }: Route, suggested: unknown): unknown {
  if (!reply || !body || !examples?.body) return suggested
  const sent = examples.body as Record<string, unknown>
  const parsed = v.parse(body, beforeParsing?.(sent) ?? sent) as Record<string, unknown>
  return Object.entries(parsed).reduce<unknown>((example, [name, value]) => {
    const changed = { ...(example as object), [name]: value }
    return name in (example as object) && v.is(reply, changed) ? changed : example
  }, suggested)
}
