import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  instantAt,
  isCalendarDate,
  millisecondsOf,
  parseInstant,
  plusSeconds,
  secondsBetween,
} from '#shared/domain/instant.ts'
import { instants, milliseconds } from '../support/arbitraries.ts'

describe('a datetime is understood', () => {
  test.each([
    { text: '2026-03-02T08:00:00Z', expected: '2026-03-02T08:00:00.000Z' },
    { text: '2026-03-02T08:00Z', expected: '2026-03-02T08:00:00.000Z' },
    { text: '2026-03-02t08:00:00z', expected: '2026-03-02T08:00:00.000Z' },
    { text: '2026-03-02T08:00:00+02:00', expected: '2026-03-02T06:00:00.000Z' },
    { text: '2026-03-02T08:00:00-0230', expected: '2026-03-02T10:30:00.000Z' },
    { text: '2026-03-02T08:00:00+05', expected: '2026-03-02T03:00:00.000Z' },
    { text: '2026-03-02T08:00:00-00:00', expected: '2026-03-02T08:00:00.000Z' },
    { text: '2026-03-02T00:00:00+23:59', expected: '2026-03-01T00:01:00.000Z' },
    { text: '2026-03-02T08:00:00.1Z', expected: '2026-03-02T08:00:00.100Z' },
    { text: '2026-03-02T08:00:00,25Z', expected: '2026-03-02T08:00:00.250Z' },
    { text: '2026-03-02T08:00:00.9999Z', expected: '2026-03-02T08:00:00.999Z' },
    { text: '2026-12-31T23:59:59.999999999Z', expected: '2026-12-31T23:59:59.999Z' },
    { text: '1969-12-31T23:59:59.9999Z', expected: '1969-12-31T23:59:59.999Z' },
    { text: '2024-02-29T12:00:00Z', expected: '2024-02-29T12:00:00.000Z' },
    { text: '2000-02-29T12:00:00Z', expected: '2000-02-29T12:00:00.000Z' },
    { text: '0000-01-01T00:00:00Z', expected: '0000-01-01T00:00:00.000Z' },
    { text: '9999-12-31T23:59:59.999Z', expected: '9999-12-31T23:59:59.999Z' },
  ])('$text', ({ text, expected }) => {
    expect(parseInstant(text)).toBe(expected)
  })
})

describe('a datetime is refused', () => {
  test.each([
    { why: 'no zone', text: '2026-03-02T08:00:00' },
    { why: 'a date alone', text: '2026-03-02' },
    { why: 'a zone without a time', text: '2026-03-02Z' },
    { why: 'an hour alone', text: '2026-03-02T08Z' },
    { why: 'a blank for the T', text: '2026-03-02 08:00:00Z' },
    { why: '29 February of a common year', text: '2026-02-29T08:00:00Z' },
    { why: '29 February of a century', text: '1900-02-29T08:00:00Z' },
    { why: '30 February', text: '2024-02-30T08:00:00Z' },
    { why: '31 April', text: '2026-04-31T08:00:00Z' },
    { why: 'month 0', text: '2026-00-10T08:00:00Z' },
    { why: 'month 13', text: '2026-13-10T08:00:00Z' },
    { why: 'day 0', text: '2026-03-00T08:00:00Z' },
    { why: 'hour 24', text: '2026-03-02T24:00:00Z' },
    { why: 'minute 60', text: '2026-03-02T08:60:00Z' },
    { why: 'second 60', text: '2026-12-31T23:59:60Z' },
    { why: 'a fraction without digits', text: '2026-03-02T08:00:00.Z' },
    { why: 'ten digits of a fraction', text: '2026-03-02T08:00:00.1234567890Z' },
    { why: 'a fraction of a minute', text: '2026-03-02T08:00.5Z' },
    { why: 'an offset of a day', text: '2026-03-02T08:00:00+24:00' },
    { why: 'an offset of 60 minutes', text: '2026-03-02T08:00:00+01:60' },
    { why: 'half an offset', text: '2026-03-02T08:00:00+1' },
    { why: 'two zones', text: '2026-03-02T08:00:00Z+01:00' },
    { why: 'a named zone', text: '2026-03-02T08:00:00[Europe/Paris]' },
    { why: 'before year 0, by its offset', text: '0000-01-01T00:00:00+00:01' },
    { why: 'after year 9999, by its offset', text: '9999-12-31T23:59:59-00:01' },
    { why: 'a long year', text: '+012026-03-02T08:00:00Z' },
    { why: 'a negative year', text: '-000001-03-02T08:00:00Z' },
    { why: 'a short year', text: '26-03-02T08:00:00Z' },
    { why: 'digits of another script', text: '٢٠٢٦-03-02T08:00:00Z' },
    { why: 'wide digits', text: '２０２６-03-02T08:00:00Z' },
    { why: 'a minus sign that is none', text: '2026-03-02T08:00:00\u221202:00' },
    { why: 'blanks around', text: ' 2026-03-02T08:00:00Z ' },
    { why: 'a line break behind', text: '2026-03-02T08:00:00Z\n' },
    { why: 'the American way', text: '03/02/2026 08:00 AM' },
    { why: 'what Date.parse takes', text: 'Mon, 02 Mar 2026 08:00:00 GMT' },
    { why: 'seconds since 1970', text: '1772438400' },
    { why: 'nothing', text: '' },
  ])('$why', ({ text }) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  test('a megabyte of digits, at once', () => {
    const before = performance.now()
    expect(parseInstant(`2026-03-02T08:00:00.${'1'.repeat(1_000_000)}Z`)).toBeUndefined()
    expect(performance.now() - before).toBeLessThan(500)
  })
})

/** The date and time of day as the calendar has it, by counting days: no Date, no parser. */
function writtenOut(at: number): { date: string; time: string } {
  const days = Math.floor(at / 86_400_000)
  let rest = at - days * 86_400_000
  const ofDay = [3_600_000, 60_000, 1_000, 1].map((unit) => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return count
  })
  let year = 1970 + Math.floor(days / 366)
  while (daysUntil(year + 1) <= days) year++
  while (daysUntil(year) > days) year--
  let day = days - daysUntil(year)
  let month = 0
  while (day >= monthLength(year, month)) day -= monthLength(year, month++)
  const pad = (value: number, width: number) => String(value).padStart(width, '0')
  const [hour = 0, minute = 0, second = 0, millisecond = 0] = ofDay
  return {
    date: `${pad(year, 4)}-${pad(month + 1, 2)}-${pad(day + 1, 2)}`,
    time: `${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}.${pad(millisecond, 3)}`,
  }
}
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLength = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0
const leapsBefore = (year: number) =>
  Math.floor((year - 1) / 4) - Math.floor((year - 1) / 100) + Math.floor((year - 1) / 400)
const daysUntil = (year: number) => (year - 1970) * 365 + leapsBefore(year) - leapsBefore(1970)

test('the same instant written with any offset is the same instant', () => {
  const offsets = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 })
  const finer = fc.integer({ min: 0, max: 999_999 }).map((nanos) => String(nanos).padStart(6, '0'))
  fc.assert(
    fc.property(milliseconds, offsets, finer, fc.boolean(), (at, offset, rest, colon) => {
      const local = writtenOut(at + offset * 60_000)
      fc.pre(/^\d{4}-/.test(local.date))
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
      const two = (value: number) => String(value).padStart(2, '0')
      const zone = `${offset < 0 ? '-' : '+'}${two(hours)}${colon ? ':' : ''}${two(minutes)}`
      const utc = writtenOut(at)
      expect(parseInstant(`${local.date}T${local.time}${rest}${zone}`)).toBe(`${utc.date}T${utc.time}Z`)
    }),
    { numRuns: 2_000 },
  )
})

test('the order of the text is the order of time', () => {
  fc.assert(
    fc.property(milliseconds, milliseconds, (one, other) => {
      expect(instantAt(one) < instantAt(other)).toBe(one < other)
      expect(instantAt(one)).toHaveLength(24)
      expect(millisecondsOf(instantAt(one))).toBe(one)
    }),
  )
})

test('a day exists when the calendar has it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const exists = month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month - 1)
        expect(isCalendarDate(year, month, day)).toBe(exists)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('seconds that are added are found again between the two', () => {
  const within = instants.filter((at) => at > '0001' && at < '9998')
  fc.assert(
    fc.property(within, fc.integer({ min: -10_000_000, max: 10_000_000 }), (start, tenths) => {
      expect(secondsBetween(start, plusSeconds(start, tenths / 10))).toBeCloseTo(tenths / 10, 3)
    }),
  )
})
