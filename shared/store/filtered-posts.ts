/**
 * One page of a filtered list. The facet rows say which posts may match, newest first; the posts themselves say
 * which do. What is read follows the page, not the account.
 */
import type { Id, OwnerCode } from '#shared/domain/id.ts'
import type { Post } from '#shared/domain/post.ts'
import type { PostFilter } from '#shared/domain/post-filter.ts'
import { classesOf, isShut, matches } from '#shared/domain/post-filter.ts'
import type { Item, Table } from '../aws/table.ts'
import { facetPartition, postKey } from './layout.ts'
import type { PageRequest } from './page.ts'
import { bytesOf, carried, hydrate } from './page.ts'
import type { SortedStream } from './sorted-streams.ts'
import { intersection, pagedStream, take, takeDownTo, union } from './sorted-streams.ts'

/** So much may a page cost, in queries and in posts (for each 4 KB, one): then it is answered as far as it came. */
const mostWork = 400
/** Facet rows in 4 KB: so many cost no more than one. */
const rowsPerUnit = 36
const bytesPerUnit = 4_096
const mostKeys = 100

interface Search {
  table: Table
  owner: OwnerCode
  filter: PostFilter
}

/**
 * Eventually consistent. A page is full unless the list ends, or too few of very many posts match: then it is short,
 * even empty, and `next` tells where to go on. A post that matches throughout is on exactly one page, even when its
 * status changes in the midst of it. Only one whose sole listed label (or account) is replaced by another listed one
 * in the very moment of reading may be missed by that page.
 */
export async function readFilteredPage(
  search: Search,
  { limit, after }: PageRequest,
): Promise<{ items: Item[]; next: string | undefined }> {
  if (isShut(search.filter)) return { items: [], next: undefined }
  let work = 0
  const ids = openIds(search, { rows: limit + 1, onRead: () => work++, goesOn: () => work < mostWork })
  const found: Item[] = []
  for (let from = after, looked = 0, count = limit + 1; ; ) {
    const { posts, last, hasGivenUp } = await lookAt(search, ids, { from, count })
    found.push(...posts.filter((post) => matches(post as unknown as Post, search.filter)))
    work += posts.reduce((units, post) => units + Math.ceil(bytesOf(post) / bytesPerUnit), 0)
    if (found.length > limit || last === undefined || hasGivenUp || work >= mostWork) {
      return cutPage(found, limit, last)
    }
    from = last
    looked += posts.length
    count = forMissing(limit + 1 - found.length, looked, found.length)
  }
}

/** The next posts, so many at most, and how far that is; `last` is undefined when there are no more. */
async function lookAt(
  search: Search,
  ids: SortedStream,
  { from, count }: { from: string | undefined; count: number },
) {
  const taken = await take(ids, from, count)
  const last = taken.because === 'end' ? undefined : taken.reached
  const missed = await findMissed(search, { from, last, count })
  const distinct = [...new Set([...taken.texts, ...missed])].toSorted().toReversed()
  const posts = await readPosts(search.table, distinct)
  return { posts, last, hasGivenUp: taken.because === 'gaveUp' }
}

/** How many posts to look at next, going by how many of those before matched; rather too many than yet another time. */
const forMissing = (missing: number, looked: number, found: number): number =>
  Math.min(mostKeys, Math.ceil(((missing + 1) * Math.max(looked, 1)) / Math.max(found, 1)))

function cutPage(found: Item[], limit: number, reached: string | undefined) {
  const items = carried(found.slice(0, limit))
  return { items, next: items.length < found.length ? items.at(-1)?.sk : reached }
}

/**
 * IDs from `from` down to `last`, with those that were perhaps not seen. Each stream is read at a moment of its own, and
 * a post may be on its way from the partition read last into the one read first. After all of them were read, they
 * are read once more, consistently: then it is there, or was seen before. Within one class posts stay where they are,
 * save for a change of their labels or accounts: too rare to read everything twice.
 */
async function findMissed(
  search: Search,
  { from, last, count }: { from: string | undefined; last: string | undefined; count: number },
): Promise<string[]> {
  if (classesOf(search.filter).length < 2) return []
  const goesOn = (to: string) => last === undefined || to >= last
  // One row more: it shows that nothing is left above `last`.
  return takeDownTo(openIds(search, { rows: count + 1, consistent: true, goesOn }), from, last)
}

interface Reading {
  /** As many as a stream can contribute to what is asked for. */
  rows: number
  consistent?: boolean
  onRead?: () => void
  goesOn: (to: string) => boolean
}

/** IDs of the posts whose facet rows pass the filter; of `queued` ones, all. Labels are in the key, so is the class. */
function openIds({ table, owner, filter }: Search, { rows, consistent, onRead, goesOn }: Reading) {
  const open = (facet: Parameters<typeof facetPartition>[1]): SortedStream => {
    let limit = rows
    return pagedStream(async (bound) => {
      onRead?.()
      const range = { pk: facetPartition(owner, facet), backwards: true, consistent, ...bound, limit }
      const { items } = await table.query(range)
      const more = items.length === limit
      // Who reads on is leaping, or passing over what does not match: many rows then, that cost no more than a few.
      limit = Math.max(rows, rowsPerUnit)
      return { texts: items.map(({ sk }) => sk), more }
    })
  }
  const { labels, socials } = filter
  return union(
    classesOf(filter).map((of) => {
      const needed = [
        ...(labels ? [union(labels.map((label) => open({ of, label })))] : []),
        ...(socials ? [union(socials.map((social) => open({ of, social })))] : []),
      ]
      return needed.length === 0 ? open({ of }) : intersection(needed, goesOn)
    }),
  )
}

/** In the order of the IDs, without those that are gone. */
async function readPosts(table: Table, ids: string[]): Promise<Item[]> {
  const keys = ids.map((id) => postKey(id as Id<'post'>))
  const batches = Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, batch) =>
    keys.slice(batch * mostKeys, (batch + 1) * mostKeys),
  )
  return (await Promise.all(batches.map((batch) => hydrate(table, batch)))).flat()
}
