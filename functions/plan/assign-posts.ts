import { assignPost, instantWithin, planAssignments } from '#shared/domain/assignment.ts'
import type { Holding } from '#shared/domain/holding.ts'
import { occurrenceName } from '#shared/domain/holding.ts'
import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { isId, ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import { networkErrors } from '#shared/domain/network-limits.ts'
import type { OwnerSettings } from '#shared/domain/owner.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Slot } from '#shared/domain/slot.ts'
import { sendIfNear, wakeUpOf } from '#shared/edge/schedule-post.ts'
import type { Services } from '#shared/services.ts'
import type { Assignment } from '#shared/store/assignment-writes.ts'

/** What became of one post. */
export type Result = { kind: 'assigned'; post: Post } | { kind: 'failed'; why: string }

/** Everything that planning needs, as it was read: three reads at once, whatever the size of the plan. */
export interface Attempt {
  ids: Id<'post'>[]
  posts: Map<Id<'post'>, Post>
  slots: Slot[]
  holdings: Map<string, Holding>
  settings: OwnerSettings
}

/** How often losers are planned again. Losing at all takes somebody who does not wait for the lease. */
const mostRounds = 12
const longestPauseMilliseconds = 1_000

/** `consistent`: what others did a moment ago is to count, because they are known to be at it. */
export async function readPlan(
  owner: OwnerCode,
  ids: Id<'post'>[],
  { services, consistent = false }: { services: Services; consistent?: boolean },
): Promise<Attempt> {
  const { slots, plan, posts, clock } = services
  const named = ids.filter((id) => isId('post', id))
  const [found, allSlots, { holdings, settings }] = await Promise.all([
    posts.findMany(named),
    slots.listAll(owner),
    plan.read(owner, firstDate(clock.now()), { consistent }),
  ])
  const byId = new Map(found.map((post) => [post.id, post]))
  // What an eventually consistent read does not find may have been made a moment ago.
  const late = named.filter((id) => !byId.has(id))
  for (const post of await findNow(late, services)) byId.set(post.id, post)
  return { ids, posts: byId, slots: allSlots, holdings, settings }
}

/** Somewhere it is still yesterday, and what is due then may begin a day later: two days back is never after it. */
const firstDate = (now: Instant): string => plusSeconds(now, -2 * 86_400).slice(0, 10)

const findNow = (ids: Id<'post'>[], { posts }: Services): Promise<Post[]> =>
  posts.findMany(ids, { consistent: true })

/** Assigns what can be assigned; who lost a race for a post or an occurrence is planned again with what it met. */
export async function assignAll(
  owner: OwnerCode,
  attempt: Attempt,
  services: Services,
): Promise<Map<Id<'post'>, Result>> {
  const results = new Map<Id<'post'>, Result>()
  let waiting = attempt.ids
  for (let round = 0; waiting.length > 0 && round < mostRounds; round++) {
    const drafts = waiting.flatMap((id) => {
      const why = reasonAgainst(attempt.posts.get(id), owner)
      if (why) results.set(id, { kind: 'failed', why })
      return why ? [] : [attempt.posts.get(id) as Post]
    })
    const { assigned, lost, met } = await services.plan.assign(planFor(drafts, attempt, services))
    for (const { post, occurrence } of assigned) {
      results.set(post.id, { kind: 'assigned', post })
      attempt.holdings.set(occurrenceName(occurrence), holdingOf(post, occurrence))
    }
    for (const holding of met) attempt.holdings.set(occurrenceName(holding), holding)
    const now = services.clock.now()
    await Promise.all(assigned.map(({ post }) => sendIfNear(post, { now, services })))
    waiting = lost.map(({ post }) => post.id)
    if (waiting.length > 0) await learn(owner, attempt, { waiting, round, services })
  }
  for (const id of waiting)
    results.set(id, { kind: 'failed', why: 'Too many callers assign at once; try again' })
  return results
}

/** What the losers of a round should have known. Those who lose again wait, not to meet the same rivals once more. */
async function learn(
  owner: OwnerCode,
  attempt: Attempt,
  { waiting, round, services }: { waiting: Id<'post'>[]; round: number; services: Services },
): Promise<void> {
  const { clock, plan, random, pause } = services
  if (round > 0) {
    await pause(random.fraction() * Math.min(longestPauseMilliseconds, 25 * 2 ** round))
    attempt.holdings = (await plan.read(owner, firstDate(clock.now()), { consistent: true })).holdings
  }
  // Some may have been deleted meanwhile.
  for (const id of waiting) attempt.posts.delete(id)
  for (const post of await findNow(waiting, services)) attempt.posts.set(post.id, post)
}

/** Why the post cannot be assigned, in the contract's words; undefined when it can. */
function reasonAgainst(post: Post | undefined, owner: OwnerCode): string | undefined {
  if (!post) return 'Post not found'
  if (ownerCodeOf(post.id) !== owner) return 'Access denied'
  if (post.status === 'scheduled' || post.status === 'pending_approval') return 'Post is already scheduled'
  if (post.status !== 'draft') return 'Only draft posts can be assigned'
  if (post.accounts.length === 0) return 'Post must have at least one social account'
  return networkErrors(post)[0]?.message
}

function planFor(drafts: Post[], { slots, holdings, settings }: Attempt, services: Services): Assignment[] {
  const now = services.clock.now()
  const planned = planAssignments(drafts, { slots, holdings, now })
  return drafts.flatMap((before) => {
    const occurrence = planned.get(before.id)
    if (!occurrence) return []
    const { below } = services.random
    const scheduledAt = instantWithin(occurrence, { exact: settings.exact_slot_times, below })
    const post = assignPost(before, occurrence, {
      scheduledAt,
      now,
      requiresApproval: settings.requires_approval,
    })
    return [{ before, post, occurrence, wakeAt: wakeUpOf(post, now)?.wakeAt }]
  })
}

const holdingOf = (post: Post, { slot_id, date }: Assignment['occurrence']): Holding => ({
  slot_id,
  date,
  post_id: post.id,
  scheduled_at: post.scheduled_at as Holding['scheduled_at'],
})
