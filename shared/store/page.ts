/** One page of a list: a query of its partition from a position on, and the exact total beside it. */
import type { Item, Table } from '../aws/table.ts'

export interface PageRequest {
  limit: number
  /** The sort key of the last item of the page before. */
  after?: string | undefined
}

export interface Page<Entry> {
  entries: Entry[]
  total: number
  /** Where the next page starts; undefined on the last one. */
  next: string | undefined
}

/** API Gateway and Lambda carry six megabytes: a page of very large items is cut short before that. */
const mostBytes = 4 * 1024 * 1024

export interface ListOrder {
  pk: string
  backwards: boolean
}

/** Reads one item more than the page holds, to know whether there is another page. Eventually consistent. */
export async function readPage(
  table: Table,
  { pk, backwards }: ListOrder,
  { limit, after }: PageRequest,
): Promise<{ items: Item[]; next: string | undefined }> {
  const bound = after === undefined ? {} : backwards ? { before: after } : { after }
  const { items, more } = await table.query({
    pk,
    backwards,
    ...bound,
    limit: limit + 1,
    maxBytes: mostBytes,
  })
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown, next: (more || items.length > limit) && last ? last.sk : undefined }
}

/** The items of these keys, in the order of the keys; those that are gone by now are left out. */
export async function hydrate(table: Table, keys: { pk: string; sk: string }[]): Promise<Item[]> {
  const found = new Map((await table.getMany(keys)).map((item) => [`${item.pk} ${item.sk}`, item]))
  return keys.flatMap(({ pk, sk }) => found.get(`${pk} ${sk}`) ?? [])
}

/** As it goes over the wire, more or less. */
export const bytesOf = (item: unknown): number => Buffer.byteLength(JSON.stringify(item))

/** As many of the first items as one answer carries, and one at least. */
export function carried(items: Item[]): Item[] {
  let bytes = 0
  const tooMany = items.findIndex((item, index) => (bytes += bytesOf(item)) > mostBytes && index > 0)
  return tooMany < 0 ? items : items.slice(0, tooMany)
}
