/** Counts what goes over the wire to DynamoDB: a proxy that asks every request for its capacity and adds it up. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a stretch of work asked of the table. */
export interface Usage {
  requests: number
  readUnits: number
  writeUnits: number
}

interface Consumed {
  CapacityUnits?: number
  ReadCapacityUnits?: number
  WriteCapacityUnits?: number
}

const writing = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem'])

/** Opens the proxy before an emulator; `count` answers what the work in it used. Not for parallel counts. */
export async function openWire(endpoint: string) {
  let usage: Usage = { requests: 0, readUnits: 0, writeUnits: 0 }

  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const body = JSON.stringify({ ...JSON.parse(await readText(request)), ReturnConsumedCapacity: 'TOTAL' })
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': String(request.headers['x-amz-target']),
        authorization: String(request.headers.authorization),
        'x-amz-date': String(request.headers['x-amz-date']),
      },
      body,
    })
    const text = await answer.text()
    note(operation, JSON.parse(text))
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  function note(operation: string, { ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] }) {
    usage.requests += 1
    for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) {
      if (writing.has(operation)) usage.writeUnits += CapacityUnits
      else usage.readUnits += CapacityUnits
    }
  }

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async count(work: () => Promise<unknown>): Promise<Usage> {
      usage = { requests: 0, readUnits: 0, writeUnits: 0 }
      await work()
      return { ...usage }
    },
    close: () => server.close(),
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
