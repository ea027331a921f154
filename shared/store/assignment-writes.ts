/** The transactions that put posts into occurrences. */
import type { Holding } from '#shared/domain/holding.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Occurrence } from '#shared/domain/occurrence.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Condition } from '../aws/condition.ts'
import { absent, any, lessThan } from '../aws/condition.ts'
import type { Key, Write } from '../aws/table.ts'
import { occurrenceKey } from './layout.ts'
import { postWrites } from './post-writes.ts'

/** A post to be put into an occurrence, as it was read and as it becomes. */
export interface Assignment {
  before: Post
  post: Post
  occurrence: Occurrence
  wakeAt: Instant | undefined
}

/** What is committed at once, and for which posts. */
export interface Transaction {
  members: Assignment[]
  writes: Write[]
}

/** DynamoDB takes so many writes in one transaction. */
const mostWrites = 100

/** Whole posts, in order, as many to a transaction as fit. */
export function packAssignments(assignments: Assignment[], countShard: number): Transaction[] {
  const transactions: Transaction[] = []
  for (const assignment of assignments) {
    const writes = writesOf(assignment, countShard)
    const last = transactions.at(-1)
    const together = addedUp([...(last?.writes ?? []), ...writes])
    if (last && together.length <= mostWrites) {
      last.members.push(assignment)
      last.writes = together
    } else transactions.push({ members: [assignment], writes })
  }
  return transactions
}

/** Nobody else may hold the occurrence; a holder from other times of the slot is taken over. */
function writesOf({ before, post, occurrence, wakeAt }: Assignment, countShard: number): Write[] {
  const { slot_id, date, start, end } = occurrence
  const holding: Holding = { slot_id, date, post_id: post.id, scheduled_at: post.scheduled_at as Instant }
  const isBehind: Condition = { kind: 'compare', attribute: 'scheduled_at', operator: '>=', value: end }
  return [
    ...postWrites(post, before, { wakeAt, countShard }),
    {
      put: { ...occurrenceKey(slot_id, date), ...holding },
      when: any(absent, lessThan('scheduled_at', start), isBehind),
    },
  ]
}

type Count = Extract<Write, { update: Key }>
const isCount = (write: Write): write is Count => 'update' in write

/** A transaction may touch an item once: what several posts add to one counter is added at once. */
function addedUp(writes: Write[]): Write[] {
  const byItem = Map.groupBy(writes.filter(isCount), ({ update }) => `${update.pk} ${update.sk}`)
  const counts = [...byItem.values()].map((same) => same.reduce(sum))
  return [...writes.filter((write) => !isCount(write)), ...counts]
}

const sum = (one: Count, other: Count): Count => ({
  ...one,
  add: { count: (one.add?.['count'] ?? 0) + (other.add?.['count'] ?? 0) },
})
