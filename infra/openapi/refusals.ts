/** Every refusal that an endpoint can answer, as responses of the description. */
import type { Route } from '#shared/edge/route.ts'
import type { PathParameter } from './parameters.ts'

type Message = string | { message: string; code: string }

/** One reason to refuse. Those that many endpoints share have a name, and become components. */
interface Reason {
  status: number
  name?: string
  when: string
  messages: readonly Message[]
}

export type Response = Record<string, unknown>
export type Responses = Record<string, Response>

/** By status, in ascending order; what only shared reasons lead to is a reference into `shared`, where it is kept. */
export function refusalsOf(route: Route, path: PathParameter[], shared: Responses): Responses {
  const byStatus = Map.groupBy(reasonsOf(route, path), ({ status }) => status)
  const statuses = [...byStatus].toSorted(([one], [other]) => one - other)
  return Object.fromEntries(statuses.map(([status, reasons]) => [status, responseFor(reasons, shared)]))
}

function responseFor(reasons: Reason[], shared: Responses): Response {
  const [{ name } = { name: undefined }, ...others] = reasons
  if (!name || others.length > 0) return respond(reasons)
  shared[name] = respond(reasons)
  return { $ref: `#/components/responses/${name}` }
}

function reasonsOf(route: Route, path: PathParameter[]): Reason[] {
  const own = (route.refusals ?? []).map((refusal) => ({ ...refusal, messages: refusal.messages ?? [] }))
  return [
    ...queryReasons(route),
    ...bodyReasons(route),
    ...(route.access === 'open' ? [] : [unauthorized]),
    ...pathReasons(route, path, own),
    ...own,
    tooManyRequests,
    internalError,
  ]
}

function queryReasons({ query }: Route): Reason[] {
  if (!query) return []
  return 'entries' in query && 'cursor' in (query.entries as object) ? [invalidPage] : [invalidQuery]
}

function bodyReasons({ body, partial }: Route): Reason[] {
  if (!body) return []
  return [invalidBody, ...(partial ? [nothingToChange] : []), bodyTooLarge, unsupportedMediaType]
}

/** An endpoint that documents its own 404 says all there is to say about IDs; below an owner there is no 403. */
function pathReasons({ access }: Route, path: PathParameter[], own: Reason[]): Reason[] {
  if (path.length === 0 || own.some(({ status }) => status === 404)) return []
  const missing = path.map(({ thing }) => ({
    status: 404,
    name: `${thing}NotFound`,
    when: `No such ${thing.toLowerCase()}`,
    messages: [{ message: `${thing} not found`, code: `${thing.toUpperCase()}_NOT_FOUND` }],
  }))
  return access === 'key' ? [accessDenied, ...missing] : missing
}

const invalidPage: Reason = {
  status: 400,
  name: 'InvalidPage',
  when: '`limit` is not a positive integer, or `cursor` is not of this list',
  messages: [
    { message: 'Invalid limit parameter', code: 'INVALID_LIMIT' },
    { message: 'Invalid cursor', code: 'INVALID_CURSOR' },
  ],
}

const invalidQuery: Reason = {
  status: 400,
  name: 'InvalidQuery',
  when: 'A query parameter is not acceptable',
  messages: [],
}

const invalidBody: Reason = {
  status: 400,
  name: 'InvalidBody',
  when: 'The body is not a JSON object, or a field of it is not acceptable',
  messages: [
    { message: 'Request body must be valid JSON', code: 'BODY_NOT_JSON' },
    { message: 'Request body must be a JSON object', code: 'BODY_NOT_AN_OBJECT' },
  ],
}

const nothingToChange: Reason = {
  status: 400,
  when: 'The body has no field that may change',
  messages: [{ message: 'No valid fields provided for update', code: 'NO_VALID_FIELDS' }],
}

const unauthorized: Reason = {
  status: 401,
  name: 'Unauthorized',
  when: 'The key is missing, malformed, unknown or revoked',
  messages: [{ message: 'Unauthorized', code: 'UNAUTHORIZED' }],
}

const accessDenied: Reason = {
  status: 403,
  name: 'AccessDenied',
  when: 'It belongs to another owner',
  messages: [{ message: 'Access denied', code: 'ACCESS_DENIED' }],
}

const bodyTooLarge: Reason = {
  status: 413,
  name: 'BodyTooLarge',
  when: 'The body is larger than 1 MB',
  messages: [{ message: 'Request body must be at most 1 MB', code: 'BODY_TOO_LARGE' }],
}

const unsupportedMediaType: Reason = {
  status: 415,
  name: 'UnsupportedMediaType',
  when: 'The body is declared to be something else than JSON',
  messages: [{ message: 'Content-Type must be application/json', code: 'UNSUPPORTED_MEDIA_TYPE' }],
}

const tooManyRequests: Reason = {
  status: 429,
  name: 'TooManyRequests',
  when: 'Too many requests at once: try again later, with growing pauses. On AWS the gateway answers this, with `message` only',
  messages: ['Too Many Requests'],
}

const internalError: Reason = {
  status: 500,
  name: 'InternalError',
  when: 'Something broke on our side; the log has the request ID',
  messages: [{ message: 'Internal server error', code: 'INTERNAL_ERROR' }],
}

const requestId = { $ref: '#/components/headers/RequestId' }

function respond(reasons: Reason[]): Response {
  const messages = reasons.flatMap((reason) => reason.messages)
  const status = reasons[0]?.status
  return {
    description: `${[...new Set(reasons.map(({ when }) => when))].join('. ')}.`,
    headers: {
      'x-request-id': requestId,
      ...(status === 401 && { 'www-authenticate': { $ref: '#/components/headers/Challenge' } }),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${status === 429 ? 'Throttled' : 'Failure'}` },
        ...(messages.length > 0 && { examples: examplesOf(messages, status) }),
      },
    },
  }
}

const examplesOf = (messages: Message[], status: number | undefined) =>
  Object.fromEntries(
    messages.map((each) => {
      const { message, code } = typeof each === 'string' ? { message: each } : each
      const failure = { success: false, message, ...(code && { code }), request_id: 'JKJaXmPLvHcESHA=' }
      return [slug(message), { value: status === 429 ? { message } : failure }]
    }),
  )

const slug = (message: string): string =>
  message
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
