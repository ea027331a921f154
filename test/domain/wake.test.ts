import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plusSeconds, secondsBetween } from '#shared/domain/instant.ts'
import { afterSending, lookAheadSeconds, wakeUp, watchedUntil } from '#shared/domain/wake.ts'
import { now } from './made.ts'

const inSeconds = (seconds: number) => plusSeconds(now, seconds)

describe('who sends the job of something that is due', () => {
  test.each([
    { when: 'it is overdue', due: -7_200, hops: 0, send: true, wakesIn: 15 + 180 },
    { when: 'it is due now', due: 0, hops: 0, send: true, wakesIn: 15 + 180 },
    { when: 'it is due within the look-ahead', due: 60, hops: 0, send: true, wakesIn: 60 + 15 + 180 },
    {
      when: 'it is due at the end of the look-ahead',
      due: 180,
      hops: 0,
      send: true,
      wakesIn: 180 + 15 + 180,
    },
    { when: 'it is due just behind the look-ahead', due: 180.001, hops: 0, send: false, wakesIn: 180.001 },
    { when: 'it is due in a week', due: 604_800, hops: 0, send: false, wakesIn: 604_800 },
    {
      when: 'it has gone from queue to queue seven times',
      due: 5,
      hops: 7,
      send: true,
      wakesIn: 5 + 15 + 180,
    },
    { when: 'it has gone from queue to queue eight times', due: 5, hops: 8, send: false, wakesIn: 5 },
    { when: 'it is far, and has hopped often', due: 500, hops: 9, send: false, wakesIn: 500 },
  ])('$when: the writer sends it: $send', ({ due, hops, send, wakesIn }) => {
    expect(wakeUp(inSeconds(due), now, hops)).toEqual({ wakeAt: inSeconds(wakesIn), send })
  })
})

/** When the sweep first comes upon an entry: it looks a fixed time ahead at every tick. */
function foundAt(wakeAt: string, ticks: string[]): string | undefined {
  return ticks.find((tick) => wakeAt <= plusSeconds(tick as typeof now, lookAheadSeconds))
}

const intervals = fc.array(fc.integer({ min: 1, max: 119_000 }), { minLength: 60, maxLength: 60 })
const ticksOf = (gaps: number[]) => {
  let at = now
  return gaps.map((gap) => {
    at = plusSeconds(at, gap / 1_000)
    return at
  })
}

test('whatever the sweep’s rhythm up to 119 s, it finds what is due in time', () => {
  fc.assert(
    fc.property(intervals, fc.integer({ min: 1, max: 1_500_000 }), (gaps, due) => {
      const at = inSeconds(due / 1_000)
      const { wakeAt, send } = wakeUp(at, now)
      const ticks = ticksOf([...gaps, ...Array.from({ length: 20 }, () => 119_000)])
      if (send) {
        // It was sent already: found no earlier than the job had its time to be heard, and then soon.
        const found = foundAt(wakeAt, ticks)!
        expect(secondsBetween(at, found as typeof now)).toBeGreaterThanOrEqual(15)
        expect(secondsBetween(at, found as typeof now)).toBeLessThan(15 + 119)
      } else {
        expect(foundAt(wakeAt, ticks)! <= at).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('what the sweep sent, it comes upon again only once the job has had its time', () => {
  fc.assert(
    fc.property(intervals, fc.integer({ min: -600, max: 600 }), (gaps, due) => {
      const wakeAt = afterSending(inSeconds(due), now)
      const found = foundAt(wakeAt, ticksOf([...gaps, ...Array.from({ length: 20 }, () => 119_000)]))!
      expect(secondsBetween(inSeconds(Math.max(due, 0)), found as typeof now)).toBeGreaterThanOrEqual(15)
    }),
    { numRuns: 500 },
  )
})

test('a worker is not disturbed before its lease ends, and missed within two minutes of it', () => {
  fc.assert(
    fc.property(intervals, fc.integer({ min: 1, max: 600 }), (gaps, lease) => {
      const end = inSeconds(lease)
      const found = foundAt(
        watchedUntil(end),
        ticksOf([...gaps, ...Array.from({ length: 20 }, () => 119_000)]),
      )!
      expect(found >= end).toBe(true)
      expect(secondsBetween(end, found as typeof now)).toBeLessThan(119)
    }),
    { numRuns: 500 },
  )
})
