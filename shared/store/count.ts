/** Exact totals: counters in shards, written in the transaction that adds or removes what they count. */
import type { OwnerCode } from '#shared/domain/id.ts'
import type { Table, Write } from '../aws/table.ts'
import type { Collection } from './layout.ts'
import { countPartition, ownerCountPartition } from './layout.ts'

/** The write that counts one more (or one less). Any shard will do: the total is their sum. */
export const countBy = (owner: OwnerCode, of: Collection, change: 1 | -1, shard: number): Write => ({
  update: { pk: countPartition(owner), sk: `${of}#${shard}` },
  add: { count: change },
})

export const countOwnersBy = (change: 1 | -1, shard: number): Write => ({
  update: { pk: ownerCountPartition, sk: `OWNER#${shard}` },
  add: { count: change },
})

/** How many the owner has, in one query whatever their number. */
export const totalOf = (table: Table, owner: OwnerCode, of: Collection): Promise<number> =>
  sum(table, countPartition(owner), of)

export const totalOwners = (table: Table): Promise<number> => sum(table, ownerCountPartition, 'OWNER')

async function sum(table: Table, pk: string, of: string): Promise<number> {
  const { items } = await table.query({ pk, beginsWith: `${of}#` })
  return items.reduce((total, { count }) => total + Number(count), 0)
}
