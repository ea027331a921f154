/**
 * Instants, as text of one fixed width (`2026-03-02T08:00:00.000Z`): the order of the text is the order of time.
 * Calendar arithmetic lives in `occurrence.ts`, with Temporal; nothing here needs a time zone.
 */
declare const instant: unique symbol
/** A point in time: ISO 8601, UTC, milliseconds. */
export type Instant = string & { readonly [instant]: true }

const isoDateTime =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i

/** An ISO 8601 datetime with `Z` or an offset; undefined for anything else. Finer than milliseconds is cut off. */
export function parseInstant(text: string): Instant | undefined {
  const match = isoDateTime.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const at = Date.parse(local) - offsetMilliseconds(zone)
  return at < yearZero || at > endOfYear9999 ? undefined : instantAt(at)
}

/** Whether the day exists in the Gregorian calendar. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The instant that is so many milliseconds after 1970 began. */
export const instantAt = (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant

/** Milliseconds since 1970 began. */
export const millisecondsOf = (at: Instant): number => Date.parse(at)

/** The instant so many seconds later (or earlier, when negative). */
export const plusSeconds = (at: Instant, seconds: number): Instant =>
  instantAt(Math.round(millisecondsOf(at) + seconds * 1000))

/** Seconds from one instant to another; negative when `to` is the earlier one. */
export const secondsBetween = (from: Instant, to: Instant): number =>
  (millisecondsOf(to) - millisecondsOf(from)) / 1000

const yearZero = Date.parse('0000-01-01T00:00:00.000Z')
const endOfYear9999 = Date.parse('9999-12-31T23:59:59.999Z')

function offsetMilliseconds(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4) || 0)
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000
}
