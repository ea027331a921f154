import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { accountId } from './aws-clients.ts'

/** Where the gateway has led the request; a function URL leads everything to `$default`, with its path untouched. */
export interface Routing {
  routeKey: string
  rawPath: string
  parameters?: Record<string, string>
}

/** The request as API Gateway's payload 2.0 has it. */
export function toHttpEvent(
  request: IncomingMessage,
  content: Buffer,
  routing: Routing,
): APIGatewayProxyEventV2 {
  const { routeKey, rawPath, parameters = {} } = routing
  const rawQueryString = /\?(.*)$/s.exec(request.url ?? '')?.[1] ?? ''
  const query = joinDuplicates(new URLSearchParams(rawQueryString))
  const { cookie, ...headers } = joinDuplicates(headerPairs(request.rawHeaders))
  const isText = textType.test(headers['content-type'] ?? '')

  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookie && { cookies: cookie.split(/[;,] */) }),
    headers,
    ...(rawQueryString && { queryStringParameters: query }),
    ...(Object.keys(parameters).length && { pathParameters: parameters }),
    requestContext: requestContext(request, { routeKey, rawPath }),
    ...(content.length && { body: content.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: content.length > 0 && !isText,
  }
}

const textType =
  /^\s*(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|[\w.-]+\+(json|xml))\s*(;|$))/i

function* headerPairs(raw: string[]): Iterable<[string, string]> {
  for (let at = 0; at < raw.length; at += 2) yield [(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? '']
}

function joinDuplicates(pairs: Iterable<[string, string]>): Record<string, string> {
  const joined = new Map<string, string>()
  for (const [name, value] of pairs) {
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : `${before},${value}`)
  }
  return Object.fromEntries(joined)
}

function requestContext(request: IncomingMessage, { routeKey, rawPath }: Routing) {
  const now = new Date()
  const domainName = request.headers.host ?? '127.0.0.1'
  return {
    accountId,
    apiId: 'local',
    domainName,
    domainPrefix: 'local',
    http: {
      method: request.method ?? 'GET',
      path: rawPath,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      userAgent: request.headers['user-agent'] ?? '',
    },
    requestId: randomUUID(),
    routeKey,
    stage: '$default',
    time: logTime(now),
    timeEpoch: now.getTime(),
  }
}

/** `20/Nov/2026:19:04:00 +0000` */
function logTime(now: Date): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(now.toUTCString()) ?? []
  return `${day}/${month}/${year}:${time} +0000`
}
