import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { isId, ownerCodeOf } from '#shared/domain/id.ts'
import type { Owner, OwnerSettings } from '#shared/domain/owner.ts'
import { notFound } from '#shared/domain/problem.ts'
import { absent, present } from '../aws/condition.ts'
import type { Item, Table } from '../aws/table.ts'
import { countOwnersBy, totalOwners } from './count.ts'
import { ownerDirectoryKey, ownerDirectoryPartition, ownerKey } from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { hydrate, readPage } from './page.ts'

/** What may change of an owner. */
export type OwnerChange = Partial<Pick<Owner, 'type' | 'name'>> &
  Pick<Owner, 'updated_at'> & { settings?: Partial<OwnerSettings> }

export type OwnerStore = ReturnType<typeof ownerStore>

/** Owners, and the directory that lists them. */
export const ownerStore = (table: Table, countShard: number) => ({
  /** Creates the owner; false when its code is taken, which a new code mends. */
  async create(owner: Owner): Promise<boolean> {
    const { done } = await table.commit([
      { put: toItem(owner), when: absent },
      { put: { ...ownerDirectoryKey(owner.id, owner.created_at), id: owner.id } },
      countOwnersBy(1, countShard),
    ])
    return done
  },

  /** The owner of this ID; 404 when there is none. */
  async get(id: string): Promise<Owner> {
    const item = isId('owner', id) ? await table.get(ownerKey(ownerCodeOf(id))) : undefined
    if (!item || item['id'] !== id) throw notFound('Owner')
    return fromItem(item)
  },

  /** The owner whose code this is; undefined once it is removed. What is there is read eventually consistent. */
  async find(code: OwnerCode): Promise<Owner | undefined> {
    const key = ownerKey(code)
    const item = (await table.get(key, { eventual: true })) ?? (await table.get(key))
    return item && fromItem(item)
  },

  /** Newest first. */
  async list(request: PageRequest): Promise<Page<Owner>> {
    const [page, total] = await Promise.all([
      readPage(table, { pk: ownerDirectoryPartition, backwards: true }, request),
      totalOwners(table),
    ])
    const keys = page.items.map((row) => ownerKey(ownerCodeOf(row['id'] as Id<'owner'>)))
    return { entries: (await hydrate(table, keys)).map(fromItem), total, next: page.next }
  },

  /** Writes the fields that are given, each setting by itself; 404 when it was removed meanwhile. */
  async change(id: Id<'owner'>, { settings = {}, ...fields }: OwnerChange): Promise<Owner> {
    const set = Object.fromEntries([
      ...Object.entries(fields),
      ...Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]),
    ])
    const saved = await table.update(ownerKey(ownerCodeOf(id)), { set, when: present })
    if (!saved) throw notFound('Owner')
    return fromItem(saved)
  },

  /** 404 when somebody else removed it first. */
  async remove(owner: Owner): Promise<void> {
    const { done } = await table.commit([
      { remove: ownerKey(ownerCodeOf(owner.id)), when: present },
      { remove: ownerDirectoryKey(owner.id, owner.created_at) },
      countOwnersBy(-1, countShard),
    ])
    if (!done) throw notFound('Owner')
  },
})

const toItem = (owner: Owner): Item => ({ ...ownerKey(ownerCodeOf(owner.id)), ...owner })
const fromItem = ({ pk: _pk, sk: _sk, ...owner }: Item) => owner as unknown as Owner
