import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda'
import type { Waker } from '../functions.ts'
import { table } from '../resources.ts'
import { type Checkpoint, memoryCheckpoint } from './checkpoint.ts'
import type { Call } from './lambda.ts'
import { readChanges } from './stream-records.ts'

export interface TableChangesOptions {
  /** Of the DynamoDB emulator. */
  endpoint: string
  tableName: string
  /** Which changes the function wants. */
  change: Pick<Extract<Waker, { kind: 'stream' }>, 'event' | 'sortKeyPrefix'>
  call: Call
  /** Where it goes on; without one, at the table's first change. */
  checkpoint?: Checkpoint
}

export interface TableChanges {
  /** Delivers all that waits. Answers false when it stopped at a failure: the next call begins with that record. */
  deliver(): Promise<boolean>
}

const batchSize = 10
/** As the mapping on AWS: a record is then given up, so that it does not hold up those behind it for ever. */
const maxFailures = 6

/** Hands the changes of a table to a function, in their order and at least once, as Lambda's stream reader does. */
export function tableChanges(options: TableChangesOptions): TableChanges {
  const { endpoint, tableName, change, call, checkpoint = memoryCheckpoint() } = options
  let trouble = { with: '', failures: 0 }

  async function deliverNext(): Promise<'more' | 'nothing' | 'failed'> {
    const { stream, records } = await readChanges(endpoint, tableName, await checkpoint.load())
    const wanted = records.filter((record) => isWanted(record, change))
    // In trouble one at a time, so that only the record that causes it is given up.
    const size = trouble.failures ? 1 : batchSize
    const failed = await firstFailure(wanted.slice(0, size), call)
    trouble = noteFailure(failed)

    const next = failed ?? wanted[size]
    const passed = next ? records.indexOf(next) : records.length
    const last = records[trouble.failures >= maxFailures ? passed : passed - 1]
    if (last) await checkpoint.save({ stream, sequenceNumber: sequenceNumber(last) })
    if (failed) return 'failed'
    return records.length > 0 ? 'more' : 'nothing'
  }

  const noteFailure = (record: DynamoDBRecord | undefined) => {
    if (!record) return { with: '', failures: 0 }
    const isAgain = trouble.with === sequenceNumber(record)
    return { with: sequenceNumber(record), failures: isAgain ? trouble.failures + 1 : 1 }
  }

  return {
    async deliver() {
      for (;;) {
        const outcome = await deliverNext()
        if (outcome !== 'more') return outcome === 'nothing'
      }
    },
  }
}

/** Delivers again and again. `stop` waits for the call under way. */
export function followChanges(changes: TableChanges, pauseMs = 200): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const follow = async () => {
    while (!stopping.signal.aborted) {
      const isWell = await changes.deliver().catch(() => false)
      await sleep(isWell ? pauseMs : 5 * pauseMs, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      )
    }
  }
  const following = follow()
  return {
    async stop() {
      stopping.abort()
      await following
    },
  }
}

const sequenceNumber = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? ''

const isWanted = (
  { eventName, dynamodb }: DynamoDBRecord,
  { event, sortKeyPrefix }: TableChangesOptions['change'],
) => eventName === event && dynamodb?.Keys?.[table.sortKey]?.S?.startsWith(sortKeyPrefix) === true

/** The first record that must be delivered again: of all, when the function threw or named one it was not given. */
async function firstFailure(batch: DynamoDBRecord[], call: Call): Promise<DynamoDBRecord | undefined> {
  if (batch.length === 0) return undefined
  try {
    const { batchItemFailures = [] } = ((await call({ Records: batch })) ??
      {}) as Partial<DynamoDBBatchResponse>
    if (batchItemFailures.length === 0) return undefined
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    return batch.find((record) => failed.has(sequenceNumber(record))) ?? batch[0]
  } catch {
    return batch[0]
  }
}
