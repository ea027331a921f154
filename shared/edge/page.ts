/** Pages of lists: `limit` and `cursor` in, the document's list shape out. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { badRequest } from '#shared/domain/problem.ts'
import type { Page, PageRequest } from '#shared/store/page.ts'

const defaultLimit = 20
const mostPerPage = 100

/** The query of every list. What `limit` and `cursor` may be is decided by `readPageRequest`, with its own messages. */
export const PageQuery = v.object({
  limit: v.optional(v.pipe(v.string(), v.description('Items on the page: 1 to 100, 20 if absent.'))),
  cursor: v.optional(v.pipe(v.string(), v.description('`next_cursor` of the page before.'))),
})
export type PageQuery = v.InferOutput<typeof PageQuery>

/** The list's document shape, for the reference. */
export const pageOf = <Schema extends v.GenericSchema>(item: Schema) =>
  v.object({
    items: v.array(item),
    total: v.pipe(v.number(), v.integer(), v.description('All that the caller owns, filters aside.')),
    has_more: v.boolean(),
    next_cursor: v.nullable(v.string()),
  })

/** Names a list and its filters: a cursor works for the list that gave it, and for no other. */
export type ListName = string

/** 400 `Invalid limit parameter` and `Invalid cursor`, as documented. A limit above 100 is served as 100. */
export function readPageRequest({ limit, cursor }: PageQuery, list: ListName): PageRequest {
  return { limit: readLimit(limit), after: cursor === undefined ? undefined : readCursor(cursor, list) }
}

/** The page in the document's list shape. */
export const toList = <Entry, Shown>(page: Page<Entry>, list: ListName, show: (entry: Entry) => Shown) => ({
  items: page.entries.map(show),
  total: page.total,
  has_more: page.next !== undefined,
  next_cursor: page.next === undefined ? null : writeCursor(page.next, list),
})

function readLimit(text: string | undefined): number {
  if (text === undefined) return defaultLimit
  const limit = /^\d+$/.test(text) ? Number(text) : 0
  if (limit < 1) throw badRequest('INVALID_LIMIT', 'Invalid limit parameter')
  return Math.min(limit, mostPerPage)
}

const Cursor = v.strictObject({
  v: v.literal(1),
  // DynamoDB's sort keys have at most 1,024 bytes.
  p: v.pipe(
    v.string(),
    v.minLength(1),
    v.check((text) => text.isWellFormed() && Buffer.byteLength(text) <= 1_024),
  ),
  f: v.string(),
})

const writeCursor = (position: string, list: ListName): string =>
  Buffer.from(JSON.stringify({ v: 1, p: position, f: fingerprint(list) })).toString('base64url')

function readCursor(text: string, list: ListName): string {
  const cursor = v.safeParse(Cursor, decode(text))
  if (!cursor.success || cursor.output.f !== fingerprint(list))
    throw badRequest('INVALID_CURSOR', 'Invalid cursor')
  return cursor.output.p
}

function decode(text: string): unknown {
  // Buffer skips what is not base64url: only what comes out the same again was a cursor of ours.
  const bytes = Buffer.from(text, 'base64url')
  if (text === '' || bytes.toString('base64url') !== text) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

const fingerprint = (list: ListName): string =>
  createHash('sha256').update(list).digest('base64url').slice(0, 12)
