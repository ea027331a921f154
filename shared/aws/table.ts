/** DynamoDB in small verbs. Knows nothing of posts or owners: keys and their meaning are in `store/layout.ts`. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import type { PutCommand } from '@aws-sdk/lib-dynamodb'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { clientOptions } from './client-options.ts'
import type { Changes, Condition } from './condition.ts'
import {
  bearsMark,
  inTransaction,
  marked,
  queryRequest,
  singleWrite,
  updateRequest,
  withoutMark,
} from './table-requests.ts'

export interface Key {
  pk: string
  sk: string
}
export type Item = Key & Record<string, unknown>

/** One write of a commit. The item that refused `when` comes back in the result. */
export type Write =
  | { put: Key | Item; when?: Condition }
  | ({ update: Key; when?: Condition } & Changes)
  | { remove: Key; when?: Condition }
  | { check: Key; when: Condition }

/**
 * A commit happened whole or not at all. When a condition was not met, `refusals` has an entry for each write, in
 * order: undefined where its condition held, else the item as it was found (empty when there is none).
 */
export type Committed = { done: true } | { done: false; refusals: (Partial<Item> | undefined)[] }

/** Of `beginsWith`, `after`, `before` and `upTo` there may be one: DynamoDB takes one condition on the sort key. */
export interface Range {
  pk: string
  index?: { name: string; partitionKey: string; sortKey: string }
  /** Only sort keys that begin so. */
  beginsWith?: string
  /** Only sort keys greater than this one. */
  after?: string
  /** Only sort keys smaller than this one. */
  before?: string
  /** Only sort keys up to and including this one. */
  upTo?: string
  backwards?: boolean
  consistent?: boolean
  /** At most so many items; fewer come only when there are no more. Absent: all there are. */
  limit?: number
  /** Stop, with `more`, once so many bytes were read. */
  maxBytes?: number
}

export interface Table {
  /** The item, or undefined. Strongly consistent unless `eventual`. */
  get(key: Key, options?: { eventual?: boolean }): Promise<Item | undefined>
  /** Items in no order, 100 a request; keys without an item are left out. Eventually consistent unless `consistent`. */
  getMany(keys: Key[], options?: { consistent?: boolean }): Promise<Item[]>
  /** Items of one partition in the order of their sort keys. `more` tells that `maxBytes` cut the answer short. */
  query(range: Range): Promise<{ items: Item[]; more: boolean }>
  /**
   * One conditional write, or a transaction of up to 100. Retries what a conflict with other transactions, or too much
   * load, has kept from happening; nothing else.
   */
  commit(writes: Write[]): Promise<Committed>
  /** One conditional update; answers the item as it is now, or undefined when the condition was not met. */
  update(key: Key, changes: Changes & { when?: Condition }): Promise<Item | undefined>
}

export interface TableOptions {
  tableName: string
  endpoint: string
  /** A number in [0, 1), for jitter. */
  random: () => number
  /** Waits so many milliseconds. */
  pause: (milliseconds: number) => Promise<unknown>
}

const mostAttempts = 12
/** DynamoDB takes so many keys in one BatchGetItem. */
const mostInBatch = 100
const largestPauseMilliseconds = 800

export function openTable({ tableName, endpoint, random, pause }: TableOptions): Table {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientOptions(endpoint)), {
    marshallOptions: { removeUndefinedValues: true },
  })

  async function withRetries<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        if (tries >= mostAttempts || !isPassing(error)) throw error
        // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
        await pause(random() * Math.min(largestPauseMilliseconds, 10 * 2 ** tries))
      }
    }
  }

  const newMark = () => `${random()} ${random()}`

  async function getMany(keys: Key[], { consistent = false } = {}): Promise<Item[]> {
    const batches = Array.from({ length: Math.ceil(keys.length / mostInBatch) }, (_, at) =>
      keys.slice(at * mostInBatch, (at + 1) * mostInBatch),
    )
    return (await Promise.all(batches.map((batch) => getBatch(batch, consistent)))).flat()
  }

  async function getBatch(keys: Key[], ConsistentRead: boolean): Promise<Item[]> {
    const found: Item[] = []
    let wanted = keys
    for (let tries = 0; wanted.length > 0; tries++) {
      if (tries > 0) await pause(random() * Math.min(largestPauseMilliseconds, 25 * 2 ** tries))
      const page = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead } } }),
      )
      found.push(...((page.Responses?.[tableName] ?? []) as Item[]).map(withoutMark))
      // What did not fit into 16 MB, or was throttled, is asked for again.
      wanted = (page.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[]
    }
    return found
  }

  async function query(range: Range): Promise<{ items: Item[]; more: boolean }> {
    const request = queryRequest(tableName, range)
    const items: Item[] = []
    let start: Record<string, unknown> | undefined
    let bytes = 0
    do {
      const limit = range.limit === undefined ? {} : { Limit: range.limit - items.length }
      const page = await client.send(new QueryCommand({ ...request, ...limit, ExclusiveStartKey: start }))
      for (const item of (page.Items ?? []) as Item[]) {
        bytes += range.maxBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(item))
        if (items.length > 0 && bytes > (range.maxBytes ?? Number.POSITIVE_INFINITY))
          return { items, more: true }
        items.push(withoutMark(item))
      }
      start = page.LastEvaluatedKey
    } while (start && items.length < (range.limit ?? Number.POSITIVE_INFINITY))
    return { items, more: false }
  }

  async function commit(writes: Write[]): Promise<Committed> {
    const [only, ...others] = writes
    if (!only) return { done: true }
    const mark = newMark()
    try {
      await withRetries<unknown>(() =>
        others.length === 0 && !('check' in only)
          ? client.send(singleWrite(tableName, marked(only, mark)) as PutCommand)
          : client.send(
              new TransactWriteCommand({ TransactItems: writes.map((w) => inTransaction(tableName, w)) }),
            ),
      )
      return { done: true }
    } catch (error) {
      const refusals = refusalsOf(error)
      if (refusals.some((found) => found && bearsMark(found, mark))) return { done: true }
      return { done: false, refusals: refusals.map((found) => found && withoutMark(found)) }
    }
  }

  async function update(
    key: Key,
    { when, ...changes }: Changes & { when?: Condition },
  ): Promise<Item | undefined> {
    const mark = newMark()
    const command = new UpdateCommand({
      ...updateRequest(tableName, marked({ update: key, when, ...changes }, mark)),
      ReturnValues: 'ALL_NEW',
    })
    try {
      return withoutMark((await withRetries(() => client.send(command))).Attributes as Item)
    } catch (error) {
      const [found = {}] = refusalsOf(error)
      return bearsMark(found, mark) ? withoutMark(found as Item) : undefined
    }
  }

  return {
    async get(key, { eventual = false } = {}) {
      const { Item: item } = await client.send(
        new GetCommand({ TableName: tableName, Key: key, ConsistentRead: !eventual }),
      )
      return item && withoutMark(item as Item)
    },
    getMany,
    query,
    commit,
    update,
  }
}

/** Reasons for which a write did not happen, and which pass. */
const passing: ReadonlySet<unknown> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

const isPassing = (error: unknown): boolean =>
  (error instanceof TransactionCanceledException &&
    codesOf(error).some((code) => passing.has(code)) &&
    !codesOf(error).includes('ConditionalCheckFailed')) ||
  // A plain write that met a transaction on its item.
  (error instanceof Error && error.name === 'TransactionConflictException')

const codesOf = (error: TransactionCanceledException) =>
  (error.CancellationReasons ?? []).map(({ Code }) => Code)

/** What the failed conditions found; any other error is thrown on. */
function refusalsOf(error: unknown): (Partial<Item> | undefined)[] {
  if (error instanceof ConditionalCheckFailedException) return [error.Item ? unmarshall(error.Item) : {}]
  if (error instanceof TransactionCanceledException && codesOf(error).includes('ConditionalCheckFailed')) {
    return (error.CancellationReasons ?? []).map(({ Code, Item: item }) =>
      Code === 'ConditionalCheckFailed' ? (item ? unmarshall(item) : {}) : undefined,
    )
  }
  throw error
}
