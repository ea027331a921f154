/** What the verbs of `table.ts` ask of DynamoDB, in its own terms. */
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Changes, Condition } from './condition.ts'
import { Expressions } from './condition.ts'
import type { Item, Key, Range, Write } from './table.ts'

/** Names the request that wrote the item; see `marked`. */
const markAttribute = 'writtenBy'

/**
 * The write with a mark of its own on the item. The SDK repeats a request whose answer was lost, and is then refused by
 * what it wrote itself: the mark tells that from a rival's write, even if the two are alike. Transactions need none:
 * the SDK gives each a token.
 */
export function marked<W extends SingleWrite>(write: W, mark: string): W {
  if (!write.when) return write
  if ('put' in write) return { ...write, put: { ...write.put, [markAttribute]: mark } }
  return 'update' in write ? { ...write, set: { ...write.set, [markAttribute]: mark } } : write
}

export const bearsMark = (item: Partial<Item>, mark: string): boolean => item[markAttribute] === mark

/** The item as its store wrote it. */
export const withoutMark = <I extends Partial<Item>>({ [markAttribute]: _mark, ...item }: I) =>
  item as unknown as I

/** A query of the table, or of one of its indexes. */
export function queryRequest(tableName: string, range: Range) {
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

/** A write that stands alone; `check` cannot. */
export type SingleWrite = Exclude<Write, { check: Key }>

export function singleWrite(tableName: string, write: SingleWrite) {
  if ('put' in write) return new PutCommand(putRequest(tableName, write))
  if ('update' in write) return new UpdateCommand(updateRequest(tableName, write))
  return new DeleteCommand(removeRequest(tableName, write))
}

export function inTransaction(tableName: string, write: Write) {
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

export function updateRequest(
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
