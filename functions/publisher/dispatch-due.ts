import { plusSeconds } from '#shared/domain/instant.ts'
import { afterSending, lookAheadSeconds } from '#shared/domain/wake.ts'
import type { Services } from '#shared/services.ts'
import type { DueEntry } from '#shared/store/due-store.ts'

/** In one tick, from each shard of the index; what is left comes with the next. */
const mostPerShard = 250
/** So many leases and sends are under way at once. */
const width = 20

/**
 * Sends a job for everything that is due within the look-ahead, to be heard when it is due. Whoever puts an entry off
 * sends its job; should the job be lost, the sweep comes upon the entry again.
 */
export async function dispatchDue(services: Services): Promise<void> {
  const now = services.clock.now()
  const due = await services.due.list(plusSeconds(now, lookAheadSeconds), mostPerShard)
  for (let start = 0; start < due.length; start += width) {
    await Promise.all(due.slice(start, start + width).map(dispatch))
  }

  async function dispatch(entry: DueEntry): Promise<void> {
    const leased = await services.due.lease(entry, afterSending(entry.wakeAt, now))
    if (leased) await services.sendPublishJob(leased.job, leased.at)
  }
}
