import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Label } from '#shared/domain/label.ts'
import { notFound } from '#shared/domain/problem.ts'
import { absent, present } from '../aws/condition.ts'
import type { Item, Table } from '../aws/table.ts'
import { countBy, totalOf } from './count.ts'
import { labelKey, labelPartition } from './layout.ts'
import type { Page, PageRequest } from './page.ts'
import { readPage } from './page.ts'

export type LabelStore = ReturnType<typeof labelStore>

export const labelStore = (table: Table, countShard: number) => ({
  async create(label: Label): Promise<void> {
    const { done } = await table.commit([
      { put: toItem(label), when: absent },
      countBy(ownerCodeOf(label.id), 'LABEL', 1, countShard),
    ])
    if (!done) throw new Error('A new label has the ID of another')
  },

  /** The label; undefined when there is none. */
  async find(id: Id<'label'>): Promise<Label | undefined> {
    const item = await table.get(labelKey(id))
    return item && fromItem(item)
  },

  /** Newest first. */
  async list(owner: OwnerCode, request: PageRequest): Promise<Page<Label>> {
    const [page, total] = await Promise.all([
      readPage(table, { pk: labelPartition(owner), backwards: true }, request),
      totalOf(table, owner, 'LABEL'),
    ])
    return { entries: page.items.map(fromItem), total, next: page.next }
  },

  /** Changes the title; the last writer wins. 404 when it was removed meanwhile. */
  async rename(id: Id<'label'>, { title, updated_at }: Pick<Label, 'title' | 'updated_at'>): Promise<Label> {
    const item = await table.update(labelKey(id), { set: { title, updated_at }, when: present })
    if (!item) throw notFound('Label')
    return fromItem(item)
  },

  /** 404 when somebody else removed it first. The stream takes it off posts and slots. */
  async remove(label: Label): Promise<void> {
    const { done } = await table.commit([
      { remove: labelKey(label.id), when: present },
      countBy(ownerCodeOf(label.id), 'LABEL', -1, countShard),
    ])
    if (!done) throw notFound('Label')
  },
})

const toItem = (label: Label): Item => ({ ...labelKey(label.id), ...label })
const fromItem = ({ pk: _pk, sk: _sk, ...label }: Item) => label as unknown as Label
