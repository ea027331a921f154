/** Occurrences the slow way: every day is looked at, and every time is asked of Temporal. */
import { Temporal } from '@js-temporal/polyfill'
import type { Id } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Recurrence, SlotTimes } from '#shared/domain/slot.ts'
import { at } from './made.ts'

export type Recurring = SlotTimes & { id: Id<'slot'>; anchor: string }

/** Zones whose clocks do what most do not. */
export const zonesWithSurprises = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Pacific/Apia',
  'Pacific/Fakaofo',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Pacific/Enderbury',
  'America/Santiago',
  'America/Caracas',
  'America/Metlakatla',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Asuncion',
  'America/Nuuk',
  'America/Scoresbysund',
  'America/St_Johns',
  'Asia/Beirut',
  'Asia/Amman',
  'Asia/Tehran',
  'Asia/Gaza',
  'Asia/Pyongyang',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Antarctica/Troll',
  'Antarctica/Casey',
  'Europe/Dublin',
  'Europe/Lisbon',
  'Etc/GMT+12',
  'Etc/GMT-14',
]

/** So many occurrences that start after `now`, found from day to day. */
export function occurrencesByWalk(slot: Recurring, now: Instant, count: number) {
  const found: { date: string; start: Instant; end: Instant }[] = []
  const anchor = dayOf(slot.anchor)
  const first =
    dayOf(Temporal.Instant.from(now).toZonedDateTimeISO(slot.timezone).toPlainDate().toString()) - 3
  for (let day = Math.max(first, anchor); found.length < count; day++) {
    if (!recursOn(slot.recurrence, partsOf(anchor), partsOf(day))) continue
    const date = Temporal.PlainDate.from(dateOf(day))
    if (!exists(slot.timezone, date)) continue
    const occurrence = { date: dateOf(day), ...boundsOn(slot, date) }
    if (occurrence.start > now) found.push(occurrence)
  }
  return found
}

const dayOf = (date: string) => Date.parse(date) / 86_400_000
const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

function partsOf(day: number) {
  const date = new Date(day * 86_400_000)
  const inAWeek = new Date((day + 7) * 86_400_000)
  return {
    day,
    weekDay: date.getUTCDay(),
    month: 12 * date.getUTCFullYear() + date.getUTCMonth(),
    ordinal: Math.floor((date.getUTCDate() - 1) / 7) + 1,
    isLast: inAWeek.getUTCMonth() !== date.getUTCMonth(),
  }
}
type Parts = ReturnType<typeof partsOf>

function recursOn({ interval, repeat_every }: Recurrence, anchor: Parts, date: Parts): boolean {
  const days = date.day - anchor.day
  if (interval === 'daily') return days % repeat_every === 0
  if (date.weekDay !== anchor.weekDay) return false
  if (interval === 'weekly') return days % (7 * repeat_every) === 0
  const isTheOne = anchor.ordinal === 5 ? date.isLast : date.ordinal === anchor.ordinal
  return isTheOne && (date.month - anchor.month) % repeat_every === 0
}

/** Whether the clocks of the zone ever showed that date. */
const exists = (timezone: string, date: Temporal.PlainDate) =>
  ['00:00', '12:00', '23:59'].some((time) =>
    date.toZonedDateTime({ timeZone: timezone, plainTime: time }).toPlainDate().equals(date),
  )

function boundsOn({ start_time, end_time, timezone }: Recurring, date: Temporal.PlainDate) {
  const instantOf = (time: string) =>
    date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'compatible' }).toInstant()
  const start = instantOf(start_time)
  const end = instantOf(end_time)
  const length = Temporal.PlainTime.from(start_time).until(end_time)
  const isAfter = Temporal.Instant.compare(end, start) > 0
  return { start: at(String(start)), end: at(String(isAfter ? end : start.add(length))) }
}
