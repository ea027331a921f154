/** What goes over the wire to DynamoDB: every request is asked for its capacity, counted, and kept on demand. */
import { type Asked, openProxy } from '../support/proxy.ts'

/** What a stretch of work asked of the table. */
export interface Usage {
  requests: number
  readUnits: number
  writeUnits: number
  /** How many requests of each operation. */
  operations: Record<string, number>
}

/** Requests that were under way together. */
export type Wave = Asked[]

interface Consumed {
  CapacityUnits?: number
}

const reading = new Set(['GetItem', 'BatchGetItem', 'Query'])

const nothing = (): Usage => ({ requests: 0, readUnits: 0, writeUnits: 0, operations: {} })

/** Opens the proxy before an emulator. Not for parallel counts. */
export async function openWire(endpoint: string) {
  let usage = nothing()
  let waves: Wave[] = []
  let underWay = 0
  let keeps = false

  const { close, ...proxy } = await openProxy(endpoint, async ({ operation, body }, forward) => {
    if (keeps && underWay === 0) waves.push([])
    if (keeps) waves.at(-1)?.push({ operation, body })
    underWay += 1
    try {
      const answer = await forward(JSON.stringify({ ...JSON.parse(body), ReturnConsumedCapacity: 'TOTAL' }))
      note(operation, JSON.parse(answer.body))
      return answer
    } finally {
      underWay -= 1
    }
  })

  function note(operation: string, { ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] }) {
    usage.requests += 1
    usage.operations[operation] = (usage.operations[operation] ?? 0) + 1
    for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) {
      if (reading.has(operation)) usage.readUnits += CapacityUnits
      else usage.writeUnits += CapacityUnits
    }
  }

  return {
    endpoint: proxy.endpoint,
    close,
    /** What the work used, and what it answered. */
    async count<Answer>(work: () => Promise<Answer>): Promise<Usage & { answer: Answer }> {
      usage = nothing()
      const answer = await work()
      const counted = usage
      usage = nothing()
      return { ...counted, answer }
    },
    /** The requests of the work, by the waves in which they went out. */
    async record(work: () => Promise<unknown>): Promise<Wave[]> {
      waves = []
      keeps = true
      await work()
      keeps = false
      return waves
    },
  }
}
