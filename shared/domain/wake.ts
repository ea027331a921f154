/**
 * Where things stand in the `due` index, and who sends their job before the sweep does. Pure.
 *
 * The sweep looks `lookAheadSeconds` ahead, and sends the job of all it finds, to be heard when it is due. What was
 * sent already, or is in a worker's hands, need only be watched: it stands that much later in the index, so that the
 * sweep comes upon it no earlier than it must.
 */
import type { Instant } from './instant.ts'
import { plusSeconds, secondsBetween } from './instant.ts'

/** The sweep runs every minute, and two runs can be nearly two minutes apart. */
export const lookAheadSeconds = 180
/** How long a job that was sent may take to be heard, before it is sent again. */
const handoverSeconds = 15
/** AWS stops a loop of functions and queues after 16 rounds: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
const mostHops = 8

/** Where an item stands in the index, and whether the one who writes it sends its job as well. */
export interface WakeUp {
  wakeAt: Instant
  send: boolean
}

/**
 * For something to be done at `at`: what is near is sent right after the write, and the sweep only watches over it;
 * what is far, or has gone from queue to queue too often, is left to the sweep.
 */
export function wakeUp(at: Instant, now: Instant, hops = 0): WakeUp {
  const near = secondsBetween(now, at) <= lookAheadSeconds && hops < mostHops
  return near ? { wakeAt: afterSending(at, now), send: true } : { wakeAt: at, send: false }
}

/** Whether a job came before its time only because clocks differ by some seconds, and is to be sent once more. */
export const isEarly = (at: Instant, now: Instant, hops: number): boolean =>
  at > now && secondsBetween(now, at) <= handoverSeconds && hops < mostHops

/** Where something stands whose worker must be done by then. */
export const watchedUntil = (at: Instant): Instant => plusSeconds(at, lookAheadSeconds)

/** Where something stands whose job was just sent, to be heard at `at`. */
export const afterSending = (at: Instant, now: Instant): Instant =>
  watchedUntil(plusSeconds(at > now ? at : now, handoverSeconds))
