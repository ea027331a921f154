import { isDeepStrictEqual } from 'node:util'
import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import { absent, equals } from '../aws/condition.ts'
import type { Item, Key, Table, Write } from '../aws/table.ts'
import { countBy, totalOf } from './count.ts'
import {
  deletedPostKey,
  dueAttributes,
  dueIndex,
  facetKeys,
  facetPartition,
  postKey,
  postPartition,
} from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { readPage } from './page.ts'

export type PostStore = ReturnType<typeof postStore>

/** Posts, with the facet rows that the filtered lists read. A post and its rows change in one transaction. */
export const postStore = (table: Table, countShard: number) => ({
  /** `wakeAt`: when the sweep is to look at it; absent unless it is scheduled. */
  async create(post: Post, wakeAt?: Instant): Promise<void> {
    const { done } = await table.commit([
      { put: toItem(post, wakeAt), when: absent },
      countBy(ownerCodeOf(post.id), 'POST', 1, countShard),
      ...facetKeys(post).map((key) => ({ put: key })),
    ])
    if (!done) throw new Error('A new post has the ID of another')
  },

  /** The post as of now; undefined when there is none, or it was deleted. */
  async find(id: Id<'post'>): Promise<Post | undefined> {
    const item = await table.get(postKey(id))
    return item && fromItem(item)
  },

  /** Newest first. */
  async list(owner: OwnerCode, request: PageRequest): Promise<Page<Post>> {
    const [page, total] = await Promise.all([
      readPage(table, { pk: postPartition(owner), backwards: true }, request),
      totalOf(table, owner, 'POST'),
    ])
    return { entries: page.items.map(fromItem), total, next: page.next }
  },

  /** IDs of the owner's posts that carry a label in one class, oldest first. */
  async listLabelled(owner: OwnerCode, facet: Parameters<typeof facetPartition>[1]): Promise<Id<'post'>[]> {
    const { items } = await table.query({ pk: facetPartition(owner, facet), limit: 100, consistent: true })
    return items.map(({ sk }) => sk as Id<'post'>)
  },

  /** Saves the post unless somebody changed it since `before` was read; answers whether it did. */
  async save(post: Post, before: Post, wakeAt?: Instant): Promise<boolean> {
    const { done } = await table.commit(postWrites(post, before, wakeAt))
    return done
  },

  /** Moves it out of every list, unless somebody changed it since it was read; answers whether it did. */
  async remove(post: Post, now: Instant): Promise<boolean> {
    const { done } = await table.commit([
      { remove: postKey(post.id), when: equals('version', post.version) },
      { put: { ...toItem(post), ...deletedPostKey(post.id), deleted_at: now } },
      countBy(ownerCodeOf(post.id), 'POST', -1, countShard),
      ...facetKeys(post).map((key) => ({ remove: key })),
    ])
    return done
  },

  /** Takes a stray facet row away: one whose post does not have that facet. */
  async removeFacet(key: Key): Promise<void> {
    await table.commit([{ remove: key }])
  },
})

/** The writes that take a post from one state to the next, its facet rows with it; the first refuses a lost race. */
export function postWrites(post: Post, before: Post, wakeAt?: Instant): Write[] {
  const [old, fresh] = [facetKeys(before), facetKeys(post)]
  const without = (keys: Key[], others: Key[]) =>
    keys.filter((key) => !others.some((o) => isDeepStrictEqual(o, key)))
  return [
    {
      put: toItem({ ...post, version: before.version + 1 }, wakeAt),
      when: equals('version', before.version),
    },
    ...without(old, fresh).map((key) => ({ remove: key })),
    ...without(fresh, old).map((key) => ({ put: key })),
  ]
}

const toItem = (post: Post, wakeAt?: Instant): Item => ({
  ...postKey(post.id),
  ...post,
  ...(wakeAt && dueAttributes(post.id, wakeAt)),
})

const fromItem = ({
  pk: _pk,
  sk: _sk,
  [dueIndex.partitionKey]: _shard,
  [dueIndex.sortKey]: _wake,
  ...post
}: Item) => post as unknown as Post
