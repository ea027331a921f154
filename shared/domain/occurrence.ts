/**
 * When a slot occurs: on one local date at a time, from its start to its end. Exact over clock changes: a 09:00 slot
 * stays at 09:00. Pure, but it loads Temporal: only functions that plan import it.
 */
import { Temporal } from '@js-temporal/polyfill'
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import { instantAt, millisecondsOf } from './instant.ts'
import type { Slot, SlotTimes } from './slot.ts'

/** From `start` on, up to but not including `end`. The slot and the local date name it. */
export interface Occurrence {
  slot_id: Id<'slot'>
  /** Local, YYYY-MM-DD. */
  date: string
  start: Instant
  end: Instant
}

type Recurring = SlotTimes & { anchor: string }

const dayMilliseconds = 86_400_000
const lastDay = Date.parse('9999-12-30T00:00:00Z') / dayMilliseconds

/** Occurrences that start after an instant, earliest first. They end only with the calendar, in the year 9999. */
export function* occurrencesAfter(slot: Recurring & Pick<Slot, 'id'>, after: Instant): Generator<Occurrence> {
  // A gap in the local time moves an occurrence to a later date at most by one.
  const from = dayOf(localDate(after, slot.timezone)) - 1
  for (let index = firstIndex(slot, from); dayAt(slot, index) < lastDay; index++) {
    const occurrence = occurrenceOn(slot, dayAt(slot, index))
    if (occurrence && occurrence.start > after) yield { slot_id: slot.id, ...occurrence }
  }
}

/** The first occurrence that starts after an instant; null when the calendar ends before it. */
export function nextOccurrence(slot: Recurring & Pick<Slot, 'id'>, after: Instant): Occurrence | null {
  const { value } = occurrencesAfter(slot, after).next()
  return value ?? null
}

/** The first local date on or after the day of `now` that has the slot's weekday. */
export function anchorFor(
  { week_day, timezone }: Pick<SlotTimes, 'week_day' | 'timezone'>,
  now: Instant,
): string {
  const today = dayOf(localDate(now, timezone))
  return dateOf(today + modulo(week_day - weekDayOf(today), 7))
}

/** Weekday and clock times in UTC of the first occurrence after an instant. */
export function utcTimes(
  slot: Recurring,
  after: Instant,
): Pick<Slot, 'utc_week_day' | 'utc_start_time' | 'utc_end_time'> {
  const { start, end } = nextOccurrence({ ...slot, id: '' as Id<'slot'> }, after) ??
    // The next one lies beyond the calendar: the anchor's own stands for it.
    occurrenceOn(slot, dayOf(slot.anchor)) ?? { start: after, end: after }
  return {
    utc_week_day: new Date(millisecondsOf(start)).getUTCDay(),
    utc_start_time: start.slice(11, 16),
    utc_end_time: end.slice(11, 16),
  }
}

/** The local date of an instant. */
const localDate = (at: Instant, timezone: string): string =>
  new Date(millisecondsOf(at) + offsetAt(millisecondsOf(at), timezone)).toISOString().slice(0, 10)

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMilliseconds
const dateOf = (day: number): string => new Date(day * dayMilliseconds).toISOString().slice(0, 10)
// 1970 began on a Thursday.
const weekDayOf = (day: number): number => modulo(day + 4, 7)
const modulo = (value: number, by: number): number => ((value % by) + by) % by

/** The day of the recurrence's n-th date, counted from the anchor's, which is the 0th. */
function dayAt({ anchor, recurrence: { interval, repeat_every } }: Recurring, index: number): number {
  const steps = index * repeat_every
  if (interval === 'daily') return dayOf(anchor) + steps
  if (interval === 'weekly') return dayOf(anchor) + 7 * steps
  return ordinalWeekday(anchor, steps)
}

/** The same ordinal weekday as the anchor's (2nd Tuesday), so many months later; the fifth means the last. */
function ordinalWeekday(anchor: string, months: number): number {
  const [year = 0, month = 0, dayOfMonth = 0] = anchor.split('-').map(Number)
  const first = Date.UTC(year, month - 1 + months, 1) / dayMilliseconds
  if (Number.isNaN(first)) return Number.POSITIVE_INFINITY
  const ordinal = Math.ceil(dayOfMonth / 7)
  const day = first + modulo(weekDayOf(dayOf(anchor)) - weekDayOf(first), 7) + 7 * (ordinal - 1)
  const nextMonth = Date.UTC(year, month + months, 1) / dayMilliseconds
  return day < nextMonth ? day : day - 7
}

/** The index of the first date on or after a day. */
function firstIndex(slot: Recurring, day: number): number {
  const { interval, repeat_every } = slot.recurrence
  // No month has more than 31 days: an estimate that is never too late.
  const stepDays = { daily: 1, weekly: 7, monthly: 31 }[interval] * repeat_every
  let index = Math.max(0, Math.floor((day - dayOf(slot.anchor)) / stepDays) - 1)
  while (dayAt(slot, index) < day) index++
  return index
}

/** The occurrence on a local date; undefined on a date that the zone skipped. */
function occurrenceOn(slot: SlotTimes, day: number): Omit<Occurrence, 'slot_id'> | undefined {
  const { timezone, start_time, end_time } = slot
  const offset = steadyOffset(day, timezone)
  if (offset === undefined && !existsIn(day, timezone)) return undefined
  const at = (time: string) =>
    offset === undefined ? resolve(day, time, timezone) : localMilliseconds(day, time) - offset
  const start = at(start_time)
  const end = at(end_time)
  // A clock that was put back or forward may swallow the slot: then it keeps its length.
  const length = localMilliseconds(day, end_time) - localMilliseconds(day, start_time)
  return { date: dateOf(day), start: instantAt(start), end: instantAt(end > start ? end : start + length) }
}

function localMilliseconds(day: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return day * dayMilliseconds + (hours * 60 + minutes) * 60_000
}

/** The zone's offset on a local date, if no clock change is near it: then plain arithmetic is exact. */
function steadyOffset(day: number, timezone: string): number | undefined {
  const before = offsetAt((day - 1) * dayMilliseconds, timezone)
  const after = offsetAt((day + 2) * dayMilliseconds, timezone)
  const within =
    offsetAt(day * dayMilliseconds, timezone) === before &&
    offsetAt((day + 1) * dayMilliseconds, timezone) === before
  return before === after && within ? before : undefined
}

/** Near a clock change: times in a gap move forward, times that come twice are the first (Temporal's `compatible`). */
const resolve = (day: number, time: string, timezone: string): number =>
  Temporal.PlainDateTime.from(`${dateOf(day)}T${time}`).toZonedDateTime(timezone, {
    disambiguation: 'compatible',
  }).epochMilliseconds

/** Whether the zone had this date: Samoa had no 30 December 2011. */
const existsIn = (day: number, timezone: string): boolean =>
  Temporal.PlainDate.from(dateOf(day)).toZonedDateTime(timezone).toPlainDate().toString() === dateOf(day)

/** Offsets in milliseconds by zone and whole UTC day; a look-up with Temporal takes some 100 µs. */
const offsets = new Map<string, Map<number, number>>()
const mostKnownOffsets = 20_000

function offsetAt(milliseconds: number, timezone: string): number {
  const known = offsets.get(timezone) ?? new Map<number, number>()
  offsets.set(timezone, known)
  const offset = known.get(milliseconds) ?? lookUpOffset(milliseconds, timezone)
  if (known.size > mostKnownOffsets) known.clear()
  if (milliseconds % dayMilliseconds === 0) known.set(milliseconds, offset)
  return offset
}

const lookUpOffset = (milliseconds: number, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone).offsetNanoseconds / 1e6
