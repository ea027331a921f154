/** Requests as API Gateway hands them to a door: routed, decoded. */
import { randomBytes } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Route } from '#shared/edge/route.ts'
import { routeKeyOf } from '#shared/edge/route.ts'

export interface CallOptions {
  key?: string
  headers?: Record<string, string>
  /** Sent as it is, instead of JSON. */
  rawBody?: string
  base64?: boolean
}

export interface HttpCall extends CallOptions {
  method: string
  path: string
  body?: unknown
}

/** The event that API Gateway makes of a request: routed, decoded. */
export function httpEvent(
  routes: Route[],
  { method, path, body, key, headers = {}, rawBody, base64 }: HttpCall,
) {
  const [rawPath = '', query = ''] = path.split('?')
  const matched = routes
    .filter((route) => route.method === method)
    .map((route) => ({ route, parameters: match(route.path, rawPath) }))
    .sort((one, other) => one.route.path.split('{').length - other.route.path.split('{').length)
    .find(({ parameters }) => parameters)
  const parameters = new URLSearchParams(query)
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    version: '2.0',
    routeKey: matched ? routeKeyOf(matched.route) : '$default',
    rawPath: decodeURIComponent(rawPath),
    rawQueryString: query,
    headers: {
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    queryStringParameters: Object.fromEntries(
      [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]),
    ),
    pathParameters: matched?.parameters ?? {},
    body: text === undefined ? undefined : base64 ? Buffer.from(text).toString('base64') : text,
    isBase64Encoded: base64 ?? false,
    requestContext: {
      requestId: `request-${randomBytes(4).toString('hex')}`,
      http: { method, path: rawPath },
    },
  } as unknown as APIGatewayProxyEventV2
}

function match(template: string, path: string): Record<string, string> | undefined {
  const names: string[] = []
  const pattern = template.replace(/\{(\w+)(\+?)\}/g, (_, name: string, greedy: string) => {
    names.push(name)
    return greedy ? '(.+)' : '([^/]+)'
  })
  const found = new RegExp(`^${pattern}$`).exec(path)
  return found
    ? Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')]))
    : undefined
}
