/** A clock that the test holds, and a queue that goes by it. */
import type { Message, Queue } from '#shared/aws/queue.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { parseInstant, plusSeconds } from '#shared/domain/instant.ts'

export function heldClock(start: string) {
  const parsed = parseInstant(start)
  if (!parsed) throw new Error(`Not an instant: ${start}`)
  let now: Instant = parsed
  return {
    now: () => now,
    advance: (seconds: number) => {
      now = plusSeconds(now, seconds)
    },
  }
}

/** Messages are heard by the held clock, not by the wall's. */
export function heldQueue(clock: {
  now(): Instant
}): Queue & { take(): Message[]; readonly waiting: Message[] } {
  let waiting: (Message & { at: Instant })[] = []
  return {
    get waiting() {
      return waiting
    },
    async send(message) {
      waiting.push({ ...message, at: plusSeconds(clock.now(), message.delaySeconds) })
    },
    take() {
      const due = waiting.filter(({ at }) => at <= clock.now())
      waiting = waiting.filter(({ at }) => at > clock.now())
      return due
    },
  }
}
