import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { notFound } from '#shared/domain/problem.ts'
import type { Slot } from '#shared/domain/slot.ts'
import { absent, equals, present } from '../aws/condition.ts'
import type { Item, Table, Write } from '../aws/table.ts'
import { countBy, totalOf } from './count.ts'
import { slotKey, slotPartition } from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { readPage } from './page.ts'

export type SlotStore = ReturnType<typeof slotStore>

export const slotStore = (table: Table, countShard: number) => ({
  async create(slot: Slot): Promise<void> {
    const { done } = await table.commit([
      { put: toItem(slot), when: absent },
      countBy(ownerCodeOf(slot.id), 'SLOT', 1, countShard),
    ])
    if (!done) throw new Error('A new slot has the ID of another')
  },

  /** The slot; undefined when there is none. */
  async find(id: Id<'slot'>): Promise<Slot | undefined> {
    const item = await table.get(slotKey(id))
    return item && fromItem(item)
  },

  /** Newest first. */
  async list(owner: OwnerCode, request: PageRequest): Promise<Page<Slot>> {
    const [page, total] = await Promise.all([
      readPage(table, { pk: slotPartition(owner), backwards: true }, request),
      totalOf(table, owner, 'SLOT'),
    ])
    return { entries: page.items.map(fromItem), total, next: page.next }
  },

  /** Every slot of the owner as of now, oldest first. */
  async listAll(owner: OwnerCode): Promise<Slot[]> {
    const { items } = await table.query({ pk: slotPartition(owner), consistent: true })
    return items.map(fromItem)
  },

  /** Saves the slot unless somebody changed it since it was read; answers whether it did. */
  async save(slot: Slot): Promise<boolean> {
    const { done } = await table.commit(saveWrites(slot))
    return done
  },

  /** Applies a change to the slot as it is now, again if it is changed meanwhile; nothing to do when it is gone. */
  async change(id: Id<'slot'>, change: (slot: Slot) => Slot | undefined): Promise<void> {
    for (;;) {
      const item = await table.get(slotKey(id))
      const slot = item && change(fromItem(item))
      if (!slot) return
      const { done } = await table.commit(saveWrites(slot))
      if (done) return
    }
  },

  /** 404 when somebody else removed it first. Posts in its occurrences stay as they are. */
  async remove({ id }: Slot): Promise<void> {
    const { done } = await table.commit([
      { remove: slotKey(id), when: present },
      countBy(ownerCodeOf(id), 'SLOT', -1, countShard),
    ])
    if (!done) throw notFound('Slot')
  },
})

const saveWrites = (slot: Slot): Write[] => [
  { put: toItem({ ...slot, version: slot.version + 1 }), when: equals('version', slot.version) },
]

const toItem = (slot: Slot): Item => ({ ...slotKey(slot.id), ...slot })
const fromItem = ({ pk: _pk, sk: _sk, ...slot }: Item): Slot => slot as unknown as Slot
