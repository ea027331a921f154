import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { notFound } from '#shared/domain/problem.ts'
import type { Social } from '#shared/domain/social.ts'
import { isVisible } from '#shared/domain/social.ts'
import { absent, equals } from '../aws/condition.ts'
import type { Item, Table, Write } from '../aws/table.ts'
import { countBy, totalOf } from './count.ts'
import { removedSocialKey, socialKey, socialNameKey, socialNamePartition, socialPartition } from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { hydrate, readPage } from './page.ts'

export type SocialStore = ReturnType<typeof socialStore>

/** Connected accounts; each visible one has a row in the list by name as well. */
export const socialStore = (table: Table, countShard: number) => ({
  async create(social: Social): Promise<void> {
    const owner = ownerCodeOf(social.id)
    const { done } = await table.commit([
      { put: toItem(social, 0), when: absent },
      countBy(owner, 'SOCIAL', 1, countShard),
      ...visibilityWrites(undefined, social, countShard),
    ])
    if (!done) throw new Error('A new social has the ID of another')
  },

  /** The social, pending ones too; undefined when there is none or it was removed. */
  async find(id: Id<'social'>): Promise<Social | undefined> {
    const item = await table.get(socialKey(id))
    return item && fromItem(item)
  },

  /** The social even if it was removed: what it published is still to be seen. */
  async findEver(id: Id<'social'>): Promise<Social | undefined> {
    const item = (await table.get(socialKey(id))) ?? (await table.get(removedSocialKey(id)))
    return item && fromItem(item)
  },

  /** What callers see, by display name in lower case, then by ID. */
  async listVisible(owner: OwnerCode, request: PageRequest): Promise<Page<Social>> {
    const [page, total] = await Promise.all([
      readPage(table, { pk: socialNamePartition(owner), backwards: false }, request),
      totalOf(table, owner, 'SOCIAL-VISIBLE'),
    ])
    const keys = page.items.map((row) => socialKey(row['id'] as Id<'social'>))
    return { entries: (await hydrate(table, keys)).map(fromItem), total, next: page.next }
  },

  /** The application's list: all that are not removed, newest first. */
  async list(owner: OwnerCode, request: PageRequest): Promise<Page<Social>> {
    const [page, total] = await Promise.all([
      readPage(table, { pk: socialPartition(owner), backwards: true }, request),
      totalOf(table, owner, 'SOCIAL'),
    ])
    return { entries: page.items.map(fromItem), total, next: page.next }
  },

  /** Applies a change to the social as it is now, again if it is changed meanwhile; 404 when it is gone. */
  async change(id: Id<'social'>, change: (social: Social) => Social): Promise<Social> {
    for (;;) {
      const item = await table.get(socialKey(id))
      if (!item) throw notFound('Social')
      const before = fromItem(item)
      const after = change(before)
      const version = Number(item['version'])
      const { done } = await table.commit([
        { put: toItem(after, version + 1), when: equals('version', version) },
        ...visibilityWrites(before, after, countShard),
      ])
      if (done) return after
    }
  },

  /** Disconnects it: gone from every list, kept for what it published. Answers it as it was; 404 when it is gone. */
  async remove(id: Id<'social'>, now: Social['updated_at']): Promise<Social> {
    for (;;) {
      const item = await table.get(socialKey(id))
      if (!item) throw notFound('Social')
      const before = fromItem(item)
      const removed: Social = { ...before, status: 'removed', credentials: null, updated_at: now }
      const { done } = await table.commit([
        { remove: socialKey(id), when: equals('version', item['version']) },
        { put: { ...toItem(removed, Number(item['version']) + 1), ...removedSocialKey(id) } },
        countBy(ownerCodeOf(id), 'SOCIAL', -1, countShard),
        ...visibilityWrites(before, undefined, countShard),
      ])
      if (done) return before
    }
  },
})

/** Keeps the list by name, and its count, in step with the social. */
function visibilityWrites(before: Social | undefined, after: Social | undefined, shard: number): Write[] {
  const nameKey = (social: Social | undefined) =>
    social && isVisible(social) ? socialNameKey(social.id, social.display_name) : undefined
  const [old, fresh] = [nameKey(before), nameKey(after)]
  if (old?.sk === fresh?.sk) return []
  const writes: Write[] = []
  if (old) writes.push({ remove: old })
  if (fresh) writes.push({ put: { ...fresh, id: after?.id } })
  const owner = ownerCodeOf((after ?? before)?.id as Social['id'])
  if (!old || !fresh) writes.push(countBy(owner, 'SOCIAL-VISIBLE', fresh ? 1 : -1, shard))
  return writes
}

const toItem = (social: Social, version: number): Item => ({ ...socialKey(social.id), ...social, version })
const fromItem = ({ pk: _pk, sk: _sk, version: _version, ...social }: Item) => social as unknown as Social
