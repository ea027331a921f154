/** DynamoDB in small verbs. Knows nothing of posts or owners: keys and their meaning are in `store/layout.ts`. */
import { isDeepStrictEqual } from 'node:util'
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { clientOptions } from './client-options.ts'
import type { Changes, Condition } from './condition.ts'
import { Expressions } from './condition.ts'

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
  /** Up to 100 items in one eventually consistent request, in no order; keys without an item are left out. */
  getMany(keys: Key[]): Promise<Item[]>
  /** Items of one partition in the order of their sort keys. `more` tells that `maxBytes` cut the answer short. */
  query(range: Range): Promise<{ items: Item[]; more: boolean }>
  /** One conditional write, or a transaction of up to 100. Retries conflicts with other transactions, nothing else. */
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

const conflictAttempts = 12
const largestPauseMilliseconds = 800

export function openTable({ tableName, endpoint, random, pause }: TableOptions): Table {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientOptions(endpoint)), {
    marshallOptions: { removeUndefinedValues: true },
  })

  async function withConflictRetries(attempt: () => Promise<unknown>): Promise<Committed> {
    for (let tries = 1; ; tries++) {
      try {
        await attempt()
        return { done: true }
      } catch (error) {
        if (tries >= conflictAttempts || !isConflict(error)) throw error
        // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
        await pause(random() * Math.min(largestPauseMilliseconds, 10 * 2 ** tries))
      }
    }
  }

  async function getMany(keys: Key[]): Promise<Item[]> {
    const found: Item[] = []
    let wanted = keys
    for (let tries = 0; wanted.length > 0; tries++) {
      if (tries > 0) await pause(random() * Math.min(largestPauseMilliseconds, 25 * 2 ** tries))
      const page = await client.send(new BatchGetCommand({ RequestItems: { [tableName]: { Keys: wanted } } }))
      found.push(...((page.Responses?.[tableName] ?? []) as Item[]))
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
        items.push(item)
      }
      start = page.LastEvaluatedKey
    } while (start && items.length < (range.limit ?? Number.POSITIVE_INFINITY))
    return { items, more: false }
  }

  async function commit(writes: Write[]): Promise<Committed> {
    const [only, ...others] = writes
    if (!only) return { done: true }
    try {
      return await withConflictRetries(() =>
        others.length === 0 && !('check' in only)
          ? client.send(singleWrite(tableName, only) as PutCommand)
          : client.send(
              new TransactWriteCommand({ TransactItems: writes.map((w) => inTransaction(tableName, w)) }),
            ),
      )
    } catch (error) {
      return refusalOf(error, writes)
    }
  }

  return {
    async get(key, { eventual = false } = {}) {
      const { Item: item } = await client.send(
        new GetCommand({ TableName: tableName, Key: key, ConsistentRead: !eventual }),
      )
      return item as Item | undefined
    },
    getMany,
    query,
    commit,
    async update(key, { when, ...changes }) {
      try {
        const command = new UpdateCommand({
          ...updateRequest(tableName, { update: key, when, ...changes }),
          ReturnValues: 'ALL_NEW',
        })
        return (await client.send(command)).Attributes as Item
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined
        throw error
      }
    },
  }
}

function queryRequest(tableName: string, range: Range) {
  const expressions = new Expressions()
  const { partitionKey, sortKey } = range.index ?? { partitionKey: 'pk', sortKey: 'sk' }
  const parts = [`${expressions.name(partitionKey)} = ${expressions.value(range.pk)}`]
  if (range.beginsWith !== undefined) {
    parts.push(`begins_with(${expressions.name(sortKey)}, ${expressions.value(range.beginsWith)})`)
  }
  const bounds = { '>': range.after, '<': range.before, '<=': range.upTo }
  for (const [operator, bound] of Object.entries(bounds)) {
    if (bound !== undefined)
      parts.push(`${expressions.name(sortKey)} ${operator} ${expressions.value(bound)}`)
  }
  return {
    TableName: tableName,
    IndexName: range.index?.name,
    KeyConditionExpression: parts.join(' AND '),
    ScanIndexForward: !range.backwards,
    ConsistentRead: range.consistent ?? false,
    ...expressions.parameters(),
  }
}

type Keyed = Exclude<Write, { check: Key }>

function singleWrite(tableName: string, write: Keyed) {
  if ('put' in write) return new PutCommand(putRequest(tableName, write))
  if ('update' in write) return new UpdateCommand(updateRequest(tableName, write))
  return new DeleteCommand(removeRequest(tableName, write))
}

function inTransaction(tableName: string, write: Write) {
  if ('put' in write) return { Put: putRequest(tableName, write) }
  if ('update' in write) return { Update: updateRequest(tableName, write) }
  if ('remove' in write) return { Delete: removeRequest(tableName, write) }
  const expressions = new Expressions()
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: write.check,
      ConditionExpression: expressions.condition(write.when),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      ...expressions.parameters(),
    },
  }
}

const putRequest = (tableName: string, { put, when }: { put: Key | Item; when?: Condition | undefined }) =>
  guarded({ TableName: tableName, Item: put }, new Expressions(), when)

const removeRequest = (tableName: string, { remove, when }: { remove: Key; when?: Condition | undefined }) =>
  guarded({ TableName: tableName, Key: remove }, new Expressions(), when)

function updateRequest(
  tableName: string,
  { update, when, ...changes }: { update: Key; when?: Condition | undefined } & Changes,
) {
  const expressions = new Expressions()
  const UpdateExpression = expressions.changes(changes)
  return guarded({ TableName: tableName, Key: update, UpdateExpression }, expressions, when)
}

const guarded = <Request extends object>(
  request: Request,
  expressions: Expressions,
  when: Condition | undefined,
) => ({
  ...request,
  ...(when && {
    ConditionExpression: expressions.condition(when),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }),
  ...expressions.parameters(),
})

const isConflict = (error: unknown): boolean =>
  (error instanceof TransactionCanceledException &&
    codesOf(error).includes('TransactionConflict') &&
    !codesOf(error).includes('ConditionalCheckFailed')) ||
  // A plain write that met a transaction on its item.
  (error instanceof Error && error.name === 'TransactionConflictException')

const codesOf = (error: TransactionCanceledException) =>
  (error.CancellationReasons ?? []).map(({ Code }) => Code)

/** The refusals of failed conditions; any other error is thrown on. */
function refusalOf(error: unknown, writes: Write[]): Committed {
  if (error instanceof ConditionalCheckFailedException) {
    const found = error.Item ? unmarshall(error.Item) : {}
    const [write] = writes
    // The SDK repeats a request whose answer was lost: then the item that refuses us is our own.
    if (write && 'put' in write && isDeepStrictEqual(found, withoutUndefined(write.put)))
      return { done: true }
    return { done: false, refusals: [found] }
  }
  if (error instanceof TransactionCanceledException && codesOf(error).includes('ConditionalCheckFailed')) {
    const refusals = (error.CancellationReasons ?? []).map(({ Code, Item: item }) =>
      Code === 'ConditionalCheckFailed' ? (item ? unmarshall(item) : {}) : undefined,
    )
    return { done: false, refusals }
  }
  throw error
}

/** As the table keeps it. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [key, withoutUndefined(part)]),
  )
}
