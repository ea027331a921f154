import type { ApiKey } from '#shared/domain/api-key.ts'
import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { isId, ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { millisecondsOf, plusSeconds } from '#shared/domain/instant.ts'
import { notFound } from '#shared/domain/problem.ts'
import { absent, all, any, lessThan, missing, present } from '../aws/condition.ts'
import type { Item, Table } from '../aws/table.ts'
import { countBy, totalOf } from './count.ts'
import { apiKeyKey, ownersKeyKey, ownersKeysPartition } from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { hydrate, readPage } from './page.ts'

export type ApiKeyStore = ReturnType<typeof apiKeyStore>

/** How long a function trusts a key that it has seen: so long may a revoked one live on elsewhere. */
const cacheSeconds = 30
/** `last_used_at` is this exact, so that reading does not become writing. */
const lastUseSeconds = 3_600

/** API keys, and which owner has which. */
export const apiKeyStore = (table: Table, countShard: number) => {
  const cache = new Map<Id<'key'>, { key: ApiKey; until: number }>()

  /** Answers whether there was such a key. */
  async function removeKey({ id }: Pick<ApiKey, 'id'>): Promise<boolean> {
    cache.delete(id)
    const { done } = await table.commit([
      { remove: apiKeyKey(id), when: present },
      { remove: ownersKeyKey(id) },
      countBy(ownerCodeOf(id), 'KEY', -1, countShard),
    ])
    return done
  }

  return {
    async create(key: ApiKey): Promise<void> {
      const { done } = await table.commit([
        { put: { ...apiKeyKey(key.id), ...key }, when: absent },
        { put: { ...ownersKeyKey(key.id), id: key.id } },
        countBy(ownerCodeOf(key.id), 'KEY', 1, countShard),
      ])
      if (!done) throw new Error('A new key has the ID of another')
    },

    /** The key, possibly as it was half a minute ago; undefined when there is none. */
    async find(id: Id<'key'>, now: Instant): Promise<ApiKey | undefined> {
      const known = cache.get(id)
      if (known && known.until > millisecondsOf(now)) return known.key
      // An unknown key is asked for once more, consistently: it may be a second old.
      const item = (await table.get(apiKeyKey(id), { eventual: true })) ?? (await table.get(apiKeyKey(id)))
      if (!item) return undefined
      const key = fromItem(item)
      if (cache.size > 1_000) cache.clear()
      cache.set(id, { key, until: millisecondsOf(now) + cacheSeconds * 1_000 })
      return key
    },

    /** Newest first. */
    async list(owner: OwnerCode, request: PageRequest): Promise<Page<ApiKey>> {
      const [page, total] = await Promise.all([
        readPage(table, { pk: ownersKeysPartition(owner), backwards: true }, request),
        totalOf(table, owner, 'KEY'),
      ])
      const keys = page.items.map((row) => apiKeyKey(row['id'] as Id<'key'>))
      return { entries: (await hydrate(table, keys)).map(fromItem), total, next: page.next }
    },

    /** Revokes the owner's key, and answers it as it was. 404 when the owner has no such key (any more). */
    async remove(owner: OwnerCode, id: string): Promise<ApiKey> {
      const item = isId('key', id) && ownerCodeOf(id) === owner ? await table.get(apiKeyKey(id)) : undefined
      if (!item || !(await removeKey(fromItem(item)))) throw notFound('Key')
      return fromItem(item)
    },

    /** Revokes every key of the owner. */
    async removeAll(owner: OwnerCode): Promise<void> {
      const { items } = await table.query({ pk: ownersKeysPartition(owner), consistent: true })
      for (const { id } of items) await removeKey({ id: id as Id<'key'> })
    },

    /** Notes that the key was used, at most once an hour. */
    async touch({ id, last_used_at }: ApiKey, now: Instant): Promise<void> {
      const hourAgo = plusSeconds(now, -lastUseSeconds)
      if (last_used_at && last_used_at > hourAgo) return
      const stale = any(missing('last_used_at'), lessThan('last_used_at', hourAgo), isNull('last_used_at'))
      const item = await table.update(apiKeyKey(id), {
        set: { last_used_at: now },
        when: all(present, stale),
      })
      const known = cache.get(id)
      if (known) cache.set(id, { ...known, key: { ...known.key, last_used_at: item ? now : hourAgo } })
    },
  }
}

const isNull = (attribute: string) => ({ kind: 'compare', attribute, operator: '=', value: null }) as const

const fromItem = ({ pk: _pk, sk: _sk, ...key }: Item) => key as unknown as ApiKey
