/**
 * The stack that every HTTP door runs: request ID → log → envelope and errors → authenticate → parse → endpoint →
 * reply. API Gateway has routed already: `routeKey` names the route.
 */
import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { Problem } from '#shared/domain/problem.ts'
import { log } from '#shared/log.ts'
import type { Services } from '#shared/services.ts'
import { liveServices } from '#shared/services.ts'
import { authenticate } from './authenticate.ts'
import { parse, readBody } from './body.ts'
import { courtesy } from './courtesy.ts'
import type { Reply } from './reply.ts'
import type { Request, Route } from './route.ts'
import { routeKeyOf } from './route.ts'

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>

/** The Lambda behind a group of endpoints. Tests give it their own services. */
export function api(routes: Route[], open: () => Services = liveServices): HttpHandler {
  const byKey = new Map(routes.map((route) => [routeKeyOf(route), route]))
  return envelope(async (event) => {
    const route = byKey.get(event.routeKey)
    if (!route) throw new Problem(404, 'NOT_FOUND', 'Not found')
    return answer(route, event, open())
  })
}

/** Puts the envelope, the request ID, the log line and the answers to errors around one function. */
export const envelope = (work: (event: APIGatewayProxyEventV2) => Promise<Reply>): HttpHandler =>
  middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .use({
      before: ({ event }) => {
        log.appendKeys({ request_id: event.requestContext.requestId, route: event.routeKey })
      },
      after: ({ event, response }) => {
        withRequestId(response, event)
        log.info('request', { status: response?.statusCode })
      },
      onError: (request) => {
        request.response = refuse(request.error, request.event)
        withRequestId(request.response, request.event)
        log.info('request', { status: request.response.statusCode })
      },
    })
    .handler(async (event: APIGatewayProxyEventV2) => respond(await work(event)))

async function answer(route: Route, event: APIGatewayProxyEventV2, services: Services): Promise<Reply> {
  const now = services.clock.now()
  const caller = await authenticate(route.access, event.headers['authorization'], { services, now })
  const request: Request<never, undefined, undefined> = {
    caller: caller as never,
    params: decodedParameters(event),
    query: (route.query ? parse(route.query, event.queryStringParameters ?? {}) : undefined) as undefined,
    body: readBody(route, event) as undefined,
    now,
  }
  const [reply] = await Promise.all([
    route.handle(request as never, services),
    caller &&
      courtesy('The last use of a key could not be noted', () => services.apiKeys.touch(caller.key, now)),
  ])
  return reply
}

/** Parameters as the gateway hands them over: decoded already. */
const decodedParameters = ({ pathParameters = {} }: APIGatewayProxyEventV2): Record<string, string> =>
  Object.fromEntries(Object.entries(pathParameters).map(([name, value]) => [name, value ?? '']))

function respond(reply: Reply): APIGatewayProxyStructuredResultV2 {
  if (reply.kind === 'document') {
    return {
      statusCode: 200,
      headers: { 'content-type': reply.contentType, ...reply.headers },
      body: reply.body,
    }
  }
  return json(reply.status, { success: true, data: reply.data }, reply.headers)
}

function refuse(error: unknown, event: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
  const problem = error instanceof Problem ? error : internalError(error)
  const { status, message, code, errors } = problem
  return json(
    status,
    {
      success: false,
      message,
      code,
      ...(errors.length > 0 && { errors }),
      request_id: event.requestContext.requestId,
    },
    { ...(status === 401 && { 'www-authenticate': 'Bearer' }), ...problem.headers },
  )
}

function internalError(error: unknown): Problem {
  log.error('request failed', error as Error)
  return new Problem(500, 'INTERNAL_ERROR', 'Internal server error')
}

const json = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

function withRequestId(
  response: APIGatewayProxyStructuredResultV2 | null | undefined,
  event: APIGatewayProxyEventV2,
) {
  if (response) response.headers = { ...response.headers, 'x-request-id': event.requestContext.requestId }
}
