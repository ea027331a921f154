/** The writes that a change of a post consists of: the post, and every row that follows from it. */
import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import { absent, any, equals } from '../aws/condition.ts'
import type { Item, Key, Write } from '../aws/table.ts'
import { countBy } from './count.ts'
import {
  approvalKey,
  deletedPostKey,
  dueAttributes,
  dueIndex,
  facetKeys,
  occurrenceKey,
  postKey,
} from './layout.ts'

interface Circumstances {
  /** When the sweep is to look at it; absent unless it is scheduled. */
  wakeAt?: Instant | undefined
  countShard?: number
}

/** A new post with its rows; the first write refuses an ID that is taken. */
export const createWrites = (post: Post, { wakeAt, countShard = 0 }: Circumstances): Write[] => [
  { put: postToItem(post, wakeAt), when: absent },
  countBy(ownerCodeOf(post.id), 'POST', 1, countShard),
  ...rowWrites([], rowsOf(post)),
  ...approvalCount(undefined, post, countShard),
]

/** A post from one state to the next, its rows with it; the first write refuses when it was changed since `before`. */
export const postWrites = (
  post: Post,
  before: Post,
  { wakeAt, countShard = 0 }: Circumstances = {},
): Write[] => [
  {
    put: postToItem({ ...post, version: before.version + 1 }, wakeAt),
    when: equals('version', before.version),
  },
  ...rowWrites(rowsOf(before), rowsOf(post)),
  ...approvalCount(before, post, countShard),
]

/** A post out of every list; the first write refuses when it was changed since it was read. */
export const removeWrites = (post: Post, deleted_at: Instant, countShard: number): Write[] => [
  { remove: postKey(post.id), when: equals('version', post.version) },
  { put: { ...postToItem(post), ...deletedPostKey(post.id), deleted_at } },
  countBy(ownerCodeOf(post.id), 'POST', -1, countShard),
  ...rowWrites(rowsOf(post), []),
  ...approvalCount(post, undefined, countShard),
]

/** Frees the occurrence that the post held and holds no more; refuses when another post has taken it over. */
export function freeingWrites(before: Post, post: Post | undefined): Write[] {
  const { id, slot_id, slot_date } = before
  const keeps = post?.slot_id === slot_id && post?.slot_date === slot_date
  return slot_id && slot_date && !keeps ? [freeOccurrence(id, slot_id, slot_date)] : []
}

const freeOccurrence = (post: Id<'post'>, slot: Id<'slot'>, date: string): Write => ({
  remove: occurrenceKey(slot, date),
  when: any(absent, equals('post_id', post)),
})

const isPending = (post: Post | undefined) => post?.status === 'pending_approval'

const rowsOf = (post: Post): Key[] => [...facetKeys(post), ...(isPending(post) ? [approvalKey(post.id)] : [])]

function rowWrites(old: Key[], fresh: Key[]): Write[] {
  const without = (keys: Key[], others: Key[]) =>
    keys.filter(({ pk }) => !others.some((other) => other.pk === pk))
  return [
    ...without(old, fresh).map((key) => ({ remove: key })),
    ...without(fresh, old).map((key) => ({ put: key })),
  ]
}

function approvalCount(before: Post | undefined, post: Post | undefined, countShard: number): Write[] {
  if (isPending(before) === isPending(post)) return []
  const owner = ownerCodeOf((post ?? before)?.id as Id<'post'>)
  return [countBy(owner, 'APPROVAL', isPending(post) ? 1 : -1, countShard)]
}

const postToItem = (post: Post, wakeAt?: Instant): Item => ({
  ...postKey(post.id),
  ...post,
  ...(wakeAt && dueAttributes(post.id, wakeAt)),
})

/** The post, without the attributes by which the table finds it. */
export const postFromItem = ({
  pk: _pk,
  sk: _sk,
  [dueIndex.partitionKey]: _shard,
  [dueIndex.sortKey]: _wake,
  ...post
}: Item): Post => post as unknown as Post
