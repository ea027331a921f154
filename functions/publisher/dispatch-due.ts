import { plusSeconds } from '#shared/domain/instant.ts'
import { afterSending, lookAheadSeconds } from '#shared/domain/wake.ts'
import type { Services } from '#shared/services.ts'
import type { DueEntry } from '#shared/store/due-store.ts'

/** In one look, from each shard of the index. */
const mostPerShard = 250
/** In one tick; what is left comes with the next. */
const mostRounds = 20
/** So many leases and sends are under way at once. */
const width = 20

/**
 * Sends a job for everything that is due within the look-ahead, to be heard when it is due. Whoever puts an entry off
 * sends its job; should the job be lost, the sweep comes upon the entry again. An entry that fails does not hold up
 * the others; it throws in the end.
 */
export async function dispatchDue(services: Services): Promise<void> {
  const now = services.clock.now()
  const failures: unknown[] = []
  for (let rounds = 0; rounds < mostRounds && failures.length === 0; rounds++) {
    const due = await services.due.list(plusSeconds(now, lookAheadSeconds), mostPerShard)
    for (let start = 0; start < due.length; start += width) {
      const results = await Promise.allSettled(due.slice(start, start + width).map(dispatch))
      failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
    }
    // What was sent is put off, beyond the look-ahead: another look finds what the first had no room for.
    if (due.length < mostPerShard) break
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything that is due could be sent')

  async function dispatch(entry: DueEntry): Promise<void> {
    const putOff = afterSending(entry.wakeAt, now)
    const leased = await services.due.lease(entry, putOff)
    if (!leased) return
    try {
      await services.sendPublishJob(leased.job, leased.at)
    } catch (error) {
      // The queue is out of reach: back to where it stood, for the next tick.
      await services.due.lease({ ...entry, wakeAt: putOff }, entry.wakeAt)
      throw error
    }
  }
}
