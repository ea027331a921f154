import type { Id, OwnerCode } from '#shared/domain/id.ts'
import { courtesy } from '#shared/edge/courtesy.ts'
import type { Services } from '#shared/services.ts'
import { type Attempt, assignAll, type Result, readPlan } from './assign-posts.ts'

/** Longer than a caller in front takes, shorter than the gateway waits. */
const longestWaitMilliseconds = 12_000
/** Those who have waited long ask less often: a crowd of them would wear the lease out. */
const pauseAfter = (waited: number) => Math.min(480, 60 + waited / 4)

/**
 * Callers of one owner assign in turn: each takes the plan lease while it reads, and those who find it taken wait and
 * read anew. The lease only saves lost races. Occurrences are guarded by conditions, so a caller whose lease ended, or
 * who waited too long for one, may go ahead all the same.
 */
export async function assignInTurn(
  owner: OwnerCode,
  ids: Id<'post'>[],
  services: Services,
): Promise<Map<Id<'post'>, Result>> {
  const { plan, clock, random, pause } = services
  const holder = Buffer.from(random.bytes(12)).toString('hex')
  const lease = () => plan.lease(owner, holder, clock.now())

  let [leased, attempt]: [boolean, Attempt] = await Promise.all([lease(), readPlan(owner, ids, { services })])
  if (!leased) {
    for (let waited = 0; !leased && waited < longestWaitMilliseconds; leased = await lease()) {
      const milliseconds = pauseAfter(waited) * (0.5 + random.fraction())
      await pause(milliseconds)
      waited += milliseconds
    }
    attempt = await readPlan(owner, ids, { services, consistent: true })
  }
  try {
    return await assignAll(owner, attempt, services)
  } finally {
    const release = () => plan.release(owner, holder)
    if (leased) await courtesy('A plan lease could not be given back; it ends by itself', release)
  }
}
