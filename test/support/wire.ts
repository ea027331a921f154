/** The wire between the SDK and DynamoDB, where answers get lost and requests are refused. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Table } from '#shared/aws/table.ts'
import { openTable } from '#shared/aws/table.ts'
import type { World } from './world.ts'

/** What happens to one request: it passes, its answer gets lost, or DynamoDB refuses it. */
export type Fate = 'passes' | 'answer lost' | 'conflict' | 'throttled'

export interface Wire {
  table: Table
  close(): void
}

const isWrite = (operation: string) => !['GetItem', 'BatchGetItem', 'Query'].includes(operation)

/** A table of the world's, behind a wire on which each write has the fate that the test gives it. */
export async function openWire(world: World, fateOf: (operation: string) => Fate): Promise<Wire> {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const body = await text(request)
    const fate = isWrite(operation) ? fateOf(operation) : 'passes'
    if (fate === 'conflict' || fate === 'throttled') return refuse(response, operation, body, fate)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(inject('endpoints').dynamodb, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (fate === 'answer lost') return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' })
    return response.end(bytes)
  }
  const server = createServer((request, response) => void forward(request, response))
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const { port } = server.address() as AddressInfo
  return {
    table: openTable({
      tableName: world.tableName,
      endpoint: `http://127.0.0.1:${port}`,
      random: Math.random,
      pause: (milliseconds) => pause(milliseconds / 20),
    }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** As DynamoDB says it: transactions name a reason for each item. */
function refuse(response: ServerResponse, operation: string, body: string, fate: 'conflict' | 'throttled') {
  const code = fate === 'conflict' ? 'TransactionConflict' : 'ThrottlingError'
  const items: unknown[] = operation === 'TransactWriteItems' ? JSON.parse(body).TransactItems : []
  const plain = fate === 'conflict' ? 'TransactionConflictException' : 'ThrottlingException'
  const error =
    items.length > 0
      ? {
          __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
          message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${code}]`,
          CancellationReasons: items.map((_, index) => (index === 0 ? { Code: code } : { Code: 'None' })),
        }
      : { __type: `com.amazonaws.dynamodb.v20120810#${plain}`, message: fate }
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
  response.end(JSON.stringify(error))
}
