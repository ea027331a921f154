/** The request's body as a typed value, or the refusal that says what is wrong with it. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import type { FieldError } from '#shared/domain/problem.ts'
import { badRequest, invalid, invalidField, Problem } from '#shared/domain/problem.ts'
import type { Route } from './route.ts'

const mostBytes = 1024 * 1024

/** The body by the route's schema; undefined for a route that takes none. */
export function readBody(route: Route, event: APIGatewayProxyEventV2): unknown {
  if (!route.body) return undefined
  const fields = route.bodyOptional && !event.body ? {} : readObject(event)
  const body = parse(route.body, route.beforeParsing ? route.beforeParsing(fields) : fields)
  for (const { value, path } of walk(body)) refuseHalfCharacters(value, path)
  if (route.partial && Object.keys(body as object).length === 0) {
    throw badRequest('NO_VALID_FIELDS', 'No valid fields provided for update')
  }
  return body
}

/** The value that the schema makes of the input; 400 with every field that it refuses. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input)
  if (result.success) return result.output
  throw invalid(result.issues.map(toFieldError) as [FieldError, ...FieldError[]])
}

function readObject({
  headers,
  body = '',
  isBase64Encoded,
}: APIGatewayProxyEventV2): Record<string, unknown> {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > mostBytes) throw new Problem(413, 'BODY_TOO_LARGE', 'Request body must be at most 1 MB')
  const contentType = headers['content-type']
  if (contentType && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())) {
    throw new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json')
  }
  const value = parseJson(bytes.toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('BODY_NOT_AN_OBJECT', 'Request body must be a JSON object')
  }
  for (const { level } of walk(value)) {
    if (level > mostLevels) throw badRequest('BODY_TOO_DEEP', 'Request body is nested too deeply')
  }
  return value as Record<string, unknown>
}

/** Deeper than any body of ours; a megabyte of brackets must not exhaust the stack of whoever parses it. */
const mostLevels = 32

/** Every value in a value, itself first, with its path in the words of `errors[].field`. */
function* walk(body: unknown): Generator<{ value: unknown; path: string; level: number }> {
  const open = [{ value: body, path: '', level: 1 }]
  for (let next = open.pop(); next; next = open.pop()) {
    yield next
    const { value, path, level } = next
    if (typeof value !== 'object' || value === null) continue
    for (const [name, part] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name
      open.push({ value: part, path: at, level: level + 1 })
    }
  }
}

/** Half a surrogate pair: JSON can write it, and nothing can store it. */
function refuseHalfCharacters(value: unknown, path: string): void {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const isWhole =
    (typeof value !== 'string' || value.isWellFormed()) && names.every((name) => name.isWellFormed())
  if (!isWhole) throw invalidField(path, `${path} must be well-formed Unicode`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('BODY_NOT_JSON', 'Request body must be valid JSON')
  }
}

function toFieldError({ path, message }: v.BaseIssue<unknown>): FieldError {
  const field = ((path ?? []) as { key: unknown }[])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
  return { field, message }
}
