/** The wire between the SDK and DynamoDB, where answers get lost and requests are refused. */
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Table } from '#shared/aws/table.ts'
import { openTable } from '#shared/aws/table.ts'
import { type Answer, type Asked, openProxy } from './proxy.ts'
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
  const { endpoint, close } = await openProxy(inject('endpoints').dynamodb, async (asked, forward) => {
    const fate = isWrite(asked.operation) ? fateOf(asked.operation) : 'passes'
    if (fate === 'conflict' || fate === 'throttled') return refusal(asked, fate)
    const answer = await forward(asked.body)
    return fate === 'answer lost' ? undefined : answer
  })
  return {
    table: openTable({
      tableName: world.tableName,
      endpoint,
      random: Math.random,
      pause: (milliseconds) => pause(milliseconds / 20),
    }),
    close,
  }
}

/** As DynamoDB says it: transactions name a reason for each item. */
function refusal({ operation, body }: Asked, fate: 'conflict' | 'throttled'): Answer {
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
  return { status: 400, body: JSON.stringify(error) }
}
