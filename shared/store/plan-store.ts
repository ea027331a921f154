import type { Holding } from '#shared/domain/holding.ts'
import { occurrenceName } from '#shared/domain/holding.ts'
import type { OwnerCode } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import type { Owner, OwnerSettings } from '#shared/domain/owner.ts'
import { defaultSettings } from '#shared/domain/owner.ts'
import { absent, any, equals, lessThan } from '../aws/condition.ts'
import type { Table } from '../aws/table.ts'
import type { Assignment } from './assignment-writes.ts'
import { packAssignments } from './assignment-writes.ts'
import { ownerKey, planLeaseKey, planPartition } from './layout.ts'

export type PlanStore = ReturnType<typeof planStore>

/** Longer than one call takes; a caller that vanished holds the others up for so long at most. */
const leaseSeconds = 10

/** Which occurrences are taken, and taking them. */
export const planStore = (table: Table, countShard: number) => ({
  /** What is taken from a local date on, by occurrence, and the owner's settings: one query. */
  async read(
    owner: OwnerCode,
    from: string,
    { consistent = false }: { consistent?: boolean } = {},
  ): Promise<{ holdings: Map<string, Holding>; settings: OwnerSettings }> {
    const { items } = await table.query({ pk: planPartition(owner), after: from, consistent })
    const ownerItem = items.find(({ sk }) => sk === ownerKey(owner).sk) as Owner | undefined
    const holdings = items.filter(({ sk }) => sk !== ownerKey(owner).sk) as unknown as Holding[]
    return {
      holdings: new Map(holdings.map((holding) => [occurrenceName(holding), holding])),
      settings: ownerItem?.settings ?? defaultSettings,
    }
  },

  /**
   * Assigns the posts, whole ones packed into as few transactions as there can be, all at once. Answers the posts of
   * those transactions that lost a race, with the holdings that they met.
   */
  async assign(
    assignments: Assignment[],
  ): Promise<{ assigned: Assignment[]; lost: Assignment[]; met: Holding[] }> {
    const outcomes = await Promise.all(
      packAssignments(assignments, countShard).map(async ({ members, writes }) => {
        const result = await table.commit(writes)
        if (result.done) return { assigned: members, lost: [], met: [] }
        const met = result.refusals.filter((item) => item?.['date'] !== undefined) as unknown as Holding[]
        return { assigned: [], lost: members, met }
      }),
    )
    return {
      assigned: outcomes.flatMap(({ assigned }) => assigned),
      lost: outcomes.flatMap(({ lost }) => lost),
      met: outcomes.flatMap(({ met }) => met),
    }
  },

  /** Takes the owner's plan lease; false while somebody else holds it. It orders callers, and guards nothing. */
  async lease(owner: OwnerCode, holder: string, now: Instant): Promise<boolean> {
    const until = plusSeconds(now, leaseSeconds)
    const taken = await table.update(planLeaseKey(owner), {
      set: { holder, until },
      when: any(absent, lessThan('until', now)),
    })
    return taken !== undefined
  },

  async release(owner: OwnerCode, holder: string): Promise<void> {
    await table.commit([{ remove: planLeaseKey(owner), when: equals('holder', holder) }])
  },
})
