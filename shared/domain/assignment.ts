/** assign-next: which post gets which occurrence. Pure, and in the order of the request. */
import type { Holding } from './holding.ts'
import { blocks } from './holding.ts'
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import { plusSeconds, secondsBetween } from './instant.ts'
import type { Occurrence } from './occurrence.ts'
import { occurrencesAfter } from './occurrence.ts'
import type { Post } from './post.ts'
import type { Slot } from './slot.ts'
import { admits } from './slot.ts'

/** A search through nothing but occupied occurrences ends after so long. */
const guardSeconds = 5 * 366 * 86_400

/**
 * Gives each post, in order, the earliest occurrence after `now` that is free in a slot that admits it; of two that
 * start together, the slot that was created first. What one post gets, the later ones do not. Posts without an entry
 * in the answer found none.
 */
export function planAssignments(
  posts: Pick<Post, 'id' | 'labels'>[],
  { slots, holdings, now }: { slots: Slot[]; holdings: Map<string, Holding>; now: Instant },
): Map<Id<'post'>, Occurrence> {
  const held = Map.groupBy(holdings.values(), ({ slot_id }) => slot_id)
  const lines = new Map(
    slots
      .filter(({ is_active }) => is_active)
      .map((slot) => [slot, lineOf(slot, held.get(slot.id) ?? [], now)]),
  )
  const plan = new Map<Id<'post'>, Occurrence>()
  for (const post of posts) {
    const open = [...lines].filter(([slot]) => admits(slot, post.labels)).map(([, line]) => line)
    const line = open.filter((candidate) => candidate.peek()).reduce(earlier, undefined)
    const occurrence = line?.take()
    if (occurrence) plan.set(post.id, occurrence)
  }
  return plan
}

/** The free occurrences of one slot, in order; nothing is computed before somebody looks. */
interface Line {
  slot: Slot
  peek(): Occurrence | undefined
  take(): Occurrence | undefined
}

function lineOf(slot: Slot, held: Holding[], now: Instant): Line {
  const free = freeOccurrences(slot, held, now)
  let next: Occurrence | undefined
  let looked = false
  const peek = () => {
    if (!looked) next = free.next().value ?? undefined
    looked = true
    return next
  }
  return {
    slot,
    peek,
    take() {
      const taken = peek()
      looked = false
      return taken
    },
  }
}

/** Rule 6. Any holder counts: in another time zone than its own, it may lie inside the occurrence of another date. */
function* freeOccurrences(slot: Slot, held: Holding[], now: Instant): Generator<Occurrence> {
  let occupiedSince: Instant | undefined
  for (const occurrence of occurrencesAfter(slot, now)) {
    if (!held.some((holding) => blocks(holding, occurrence))) {
      occupiedSince = undefined
      yield occurrence
      continue
    }
    occupiedSince ??= occurrence.start
    if (secondsBetween(occupiedSince, occurrence.start) > guardSeconds) return
  }
}

function earlier(best: Line | undefined, line: Line): Line {
  const [one, other] = [best?.peek(), line.peek()]
  if (!best || !one || !other) return best ?? line
  if (one.start !== other.start) return one.start < other.start ? best : line
  return best.slot.id < line.slot.id ? best : line
}

/** When the post goes out: at the start, or at a uniformly random whole second inside. `below` is cryptographic. */
export function instantWithin(
  { start, end }: Occurrence,
  { exact, below }: { exact: boolean; below: (limit: number) => number },
): Instant {
  return exact ? start : plusSeconds(start, below(Math.max(1, Math.floor(secondsBetween(start, end)))))
}

/** The post in its occurrence: scheduled, or waiting for approval. */
export function assignPost(
  post: Post,
  { slot_id, date }: Occurrence,
  { scheduledAt, now, requiresApproval }: { scheduledAt: Instant; now: Instant; requiresApproval: boolean },
): Post {
  return {
    ...post,
    status: requiresApproval ? 'pending_approval' : 'scheduled',
    approval: { status: requiresApproval ? 'pending' : 'not_required', reason: null, decided_at: null },
    slot_id,
    slot_date: date,
    scheduled_at: scheduledAt,
    updated_at: now,
  }
}
