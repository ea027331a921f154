import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { DoorRoute } from '../routes.ts'
import { readContent } from './http-content.ts'
import { type Routing, toHttpEvent } from './http-event.ts'
import { sendMessage, sendResult } from './http-reply.ts'
import type { Call } from './lambda.ts'
import { matchRoute } from './route-matcher.ts'

const patienceMs = 5000

/** What the gateway leads to. */
export interface HttpDoors {
  routes: readonly (DoorRoute & { call: Call })[]
  /** Each takes every path below its prefix, and is handed the path as it was sent. */
  functionUrls: readonly { under: string; call: Call }[]
  /** Takes what no route matched. */
  unmatched: Call
}

/** Plays API Gateway's HTTP API and the function URLs on one port of this machine. */
export async function serveHttp(port: number, doors: HttpDoors) {
  const server = createServer((request, response) => {
    // Else a connection that is kept alive would hold up `stop`.
    response.once('close', () => server.listening || server.closeIdleConnections())
    answer(request, response, doors).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    port: typeof address === 'object' && address ? address.port : port,
    /** Lets requests that are under way finish, unless they take for ever. */
    async stop() {
      const closed = once(server, 'close')
      server.close()
      const impatience = setTimeout(() => server.closeAllConnections(), patienceMs)
      await closed
      clearTimeout(impatience)
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, doors: HttpDoors): Promise<void> {
  const target = findTarget(request, doors)
  const content = await readContent(request)
  if (!content) return sendMessage(response, 413, 'Request Too Long')
  try {
    sendResult(response, await target.call(toHttpEvent(request, content, target.routing)))
  } catch {
    // Whoever plays Lambda has told the reader already; the caller only learns what the gateway tells.
    sendMessage(response, 500, 'Internal Server Error')
  }
}

function findTarget(request: IncomingMessage, doors: HttpDoors): { call: Call; routing: Routing } {
  const sentPath = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const ofUrl = doors.functionUrls.find(({ under }) => sentPath.startsWith(under))
  if (ofUrl) return { call: ofUrl.call, routing: { routeKey: '$default', rawPath: sentPath } }

  const rawPath = decodePath(sentPath)
  // What cannot be decoded names nothing: it gets the service's own 404.
  const unmatched = { call: doors.unmatched, routing: { routeKey: '$default', rawPath: rawPath ?? sentPath } }
  if (rawPath === undefined) return unmatched
  const match = matchRoute(doors.routes, request.method ?? 'GET', rawPath)
  if (!match) return unmatched
  const { route, parameters } = match
  return { call: route.call, routing: { routeKey: `${route.method} ${route.path}`, rawPath, parameters } }
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
