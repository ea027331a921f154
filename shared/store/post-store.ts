import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Post, PostClass } from '#shared/domain/post.ts'
import type { PostFilter } from '#shared/domain/post-filter.ts'
import { isOpen } from '#shared/domain/post-filter.ts'
import type { Table, Write } from '../aws/table.ts'
import { totalOf } from './count.ts'
import { readFilteredPage } from './filtered-posts.ts'
import { approvalPartition, facetPartition, postKey, postPartition } from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { hydrate, readPage } from './page.ts'
import { createWrites, freeingWrites, postFromItem, postWrites, removeWrites } from './post-writes.ts'

export type PostStore = ReturnType<typeof postStore>

/** Posts, with the facet rows that the filtered lists read. A post and its rows change in one transaction. */
export const postStore = (table: Table, countShard: number) => {
  /** An occurrence that another post has taken over meanwhile is not ours to free: then all but that is written. */
  async function commitFreeing(writes: Write[], freeing: Write[]): Promise<boolean> {
    const result = await table.commit([...writes, ...freeing])
    if (result.done) return true
    return result.refusals[0] === undefined && (await table.commit(writes)).done
  }

  return {
    /** `wakeAt`: when the sweep is to look at it; absent unless it is scheduled. */
    async create(post: Post, wakeAt?: Instant): Promise<void> {
      const { done } = await table.commit(createWrites(post, { wakeAt, countShard }))
      if (!done) throw new Error('A new post has the ID of another')
    },

    /** The post as of now; undefined when there is none, or it was deleted. */
    async find(id: Id<'post'>): Promise<Post | undefined> {
      const item = await table.get(postKey(id))
      return item && postFromItem(item)
    },

    /** The posts of these IDs, as far as there are any, in no order. Eventually consistent unless `consistent`. */
    async findMany(ids: Id<'post'>[], options?: { consistent?: boolean }): Promise<Post[]> {
      return (await table.getMany(ids.map(postKey), options)).map(postFromItem)
    },

    /** Those that pass the filter, newest first. `total` counts all of the owner's. */
    async list(owner: OwnerCode, request: PageRequest, filter: PostFilter = {}): Promise<Page<Post>> {
      const [page, total] = await Promise.all([
        isOpen(filter)
          ? readPage(table, { pk: postPartition(owner), backwards: true }, request)
          : readFilteredPage({ table, owner, filter }, request),
        totalOf(table, owner, 'POST'),
      ])
      return { entries: page.items.map(postFromItem), total, next: page.next }
    },

    /** Those that wait for approval, newest first. */
    async listPending(owner: OwnerCode, request: PageRequest): Promise<Page<Post>> {
      const [page, total] = await Promise.all([
        readPage(table, { pk: approvalPartition(owner), backwards: true }, request),
        totalOf(table, owner, 'APPROVAL'),
      ])
      const keys = page.items.map(({ sk }) => postKey(sk as Id<'post'>))
      return { entries: (await hydrate(table, keys)).map(postFromItem), total, next: page.next }
    },

    /** IDs of the owner's posts that carry a label in one class, oldest first. */
    async listLabelled(owner: OwnerCode, facet: Parameters<typeof facetPartition>[1]): Promise<Id<'post'>[]> {
      const { items } = await table.query({ pk: facetPartition(owner, facet), limit: 100, consistent: true })
      return items.map(({ sk }) => sk as Id<'post'>)
    },

    /** Takes one facet row away, whatever its post says. */
    async removeLabelRow(id: Id<'post'>, facet: { of: PostClass; label: Id<'label'> }): Promise<void> {
      await table.commit([{ remove: { pk: facetPartition(ownerCodeOf(id), facet), sk: id } }])
    },

    /** Saves the post unless somebody changed it since `before` was read; answers whether it did. */
    async save(post: Post, before: Post, wakeAt?: Instant): Promise<boolean> {
      return commitFreeing(postWrites(post, before, { wakeAt, countShard }), freeingWrites(before, post))
    },

    /** Moves it out of every list, unless somebody changed it since it was read; answers whether it did. */
    async remove(post: Post, now: Instant): Promise<boolean> {
      return commitFreeing(removeWrites(post, now, countShard), freeingWrites(post, undefined))
    },
  }
}
