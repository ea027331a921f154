/** A proxy on the wire between the SDK and DynamoDB: whoever opens it decides what becomes of each request. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as it goes over the wire. */
export interface Asked {
  /** `GetItem`, `TransactWriteItems` … */
  operation: string
  body: string
}

export interface Answer {
  status: number
  body: string
}

/** What becomes of a request: the answer that it gets, or undefined when the connection breaks instead. */
export type Passage = (
  asked: Asked,
  forward: (body: string) => Promise<Answer>,
) => Promise<Answer | undefined>

const json = { 'content-type': 'application/x-amz-json-1.0' }

/** Opens the proxy before a DynamoDB that does not check signatures. */
export async function openProxy(endpoint: string, passage: Passage) {
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const headers = passedOn(request.headers)
    const answer = await passage({ operation, body: await text(request) }, async (body) => {
      const reply = await fetch(endpoint, { method: 'POST', headers, body })
      return { status: reply.status, body: await reply.text() }
    })
    if (answer) response.writeHead(answer.status, json).end(answer.body)
    else request.socket.destroy()
  }
  // A DynamoDB that is gone is gone for the SDK too.
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Without what belongs to one connection and one body. */
const passedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
  ) as Record<string, string>
