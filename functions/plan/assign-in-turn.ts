import type { Id, OwnerCode } from '#shared/domain/id.ts'
import type { Services } from '#shared/services.ts'
import { type Attempt, assignAll, type Result, readPlan } from './assign-posts.ts'

/** Longer than a caller in front takes, shorter than the gateway waits. */
const longestWaitMilliseconds = 12_000
const pauseMilliseconds = 60

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

  let [leased, attempt]: [boolean, Attempt] = await Promise.all([lease(), readPlan(owner, ids, services)])
  if (!leased) {
    for (let waited = 0; !leased && waited < longestWaitMilliseconds; leased = await lease()) {
      const milliseconds = pauseMilliseconds * (0.5 + random.fraction())
      await pause(milliseconds)
      waited += milliseconds
    }
    attempt = await readPlan(owner, ids, services)
  }
  try {
    return await assignAll(owner, attempt, services)
  } finally {
    if (leased) await plan.release(owner, holder)
  }
}
