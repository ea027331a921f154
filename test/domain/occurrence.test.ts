import { Temporal } from '@js-temporal/polyfill'
import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { describe, expect, test } from 'vitest'
import type { Instant } from '#shared/domain/instant.ts'
import { anchorFor, nextOccurrence, occurrencesAfter, utcTimes } from '#shared/domain/occurrence.ts'
import type { Recurrence, SlotTimes } from '#shared/domain/slot.ts'
import { at, idOf } from './made.ts'
import { occurrencesByWalk, type Recurring, zonesWithSurprises } from './occurrence-oracle.ts'

const weekDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A slot from short words: `2 weekly Mon 09:00-10:00 Europe/Paris`, anchored as if it was created at `created`. */
function slotOf(words: string, created: string): Recurring {
  const [every = '', interval = '', weekDay = '', hours = '', timezone = ''] = words.split(' ')
  const [start_time = '', end_time = ''] = hours.split('-')
  const times: SlotTimes = {
    week_day: weekDays.indexOf(weekDay),
    start_time,
    end_time,
    timezone,
    recurrence: { interval: interval as Recurrence['interval'], repeat_every: Number(every) },
  }
  return { ...times, id: idOf('slot', 1), anchor: anchorFor(times, at(created)) }
}

const take = (slot: Recurring, after: Instant, count: number) =>
  [...occurrencesAfter(slot, after).take(count)].map(({ date, start, end }) => ({ date, start, end }))

/** `2026-03-29 01:30Z-02:30Z`: the local date, and the instants without their date where that is the same. */
const brief = ({ date, start, end }: { date: string; start: string; end: string }) => {
  const short = (instant: string) =>
    instant.startsWith(date) ? instant.slice(11, 16) : instant.slice(0, 16).replace('T', ' ')
  return `${date}: ${short(start)} - ${short(end)}`
}

interface Row {
  when: string
  slot: string
  now: string
  expected: string[]
}

const expectRow = ({ slot, now, expected }: Row) =>
  expect(take(slotOf(slot, now), at(now), expected.length).map(brief)).toEqual(expected)

describe('how often a slot occurs', () => {
  test.each<Row>([
    {
      when: 'every week from the next such weekday on',
      slot: '1 weekly Mon 09:00-10:00 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-02: 09:00 - 10:00', '2026-03-09: 09:00 - 10:00', '2026-03-16: 09:00 - 10:00'],
    },
    {
      when: 'today, when today is the weekday and the time is still to come',
      slot: '1 weekly Sun 12:01-13:00 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-01: 12:01 - 13:00', '2026-03-08: 12:01 - 13:00'],
    },
    {
      when: 'not at a start that is this very instant',
      slot: '1 weekly Sun 12:00-13:00 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-08: 12:00 - 13:00'],
    },
    {
      when: 'every other week from today, though today’s time has passed',
      slot: '2 weekly Sun 09:00-10:00 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-15: 09:00 - 10:00', '2026-03-29: 09:00 - 10:00'],
    },
    {
      when: 'every third week',
      slot: '3 weekly Wed 00:00-00:01 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-04: 00:00 - 00:01', '2026-03-25: 00:00 - 00:01', '2026-04-15: 00:00 - 00:01'],
    },
    {
      when: 'every twelfth week',
      slot: '12 weekly Sat 23:58-23:59 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-07: 23:58 - 23:59', '2026-05-30: 23:58 - 23:59'],
    },
    {
      when: 'every day, from the first such weekday on',
      slot: '1 daily Wed 09:00-10:00 UTC',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-04: 09:00 - 10:00', '2026-03-05: 09:00 - 10:00', '2026-03-06: 09:00 - 10:00'],
    },
    {
      when: 'every third day: the weekday only sets the phase; over a leap day',
      slot: '3 daily Sat 09:00-10:00 UTC',
      now: '2028-02-25T12:00:00Z',
      expected: ['2028-02-26: 09:00 - 10:00', '2028-02-29: 09:00 - 10:00', '2028-03-03: 09:00 - 10:00'],
    },
    {
      when: 'every day, over a year without a leap day at the end of a century',
      slot: '1 daily Sun 09:00-10:00 UTC',
      now: '2100-02-28T00:00:00Z',
      expected: ['2100-02-28: 09:00 - 10:00', '2100-03-01: 09:00 - 10:00'],
    },
    {
      when: 'every second Tuesday of the month',
      slot: '1 monthly Tue 09:00-10:00 UTC',
      now: '2026-03-09T12:00:00Z',
      expected: ['2026-03-10: 09:00 - 10:00', '2026-04-14: 09:00 - 10:00', '2026-05-12: 09:00 - 10:00'],
    },
    {
      when: 'every fourth weekday of the month is not the last one',
      slot: '1 monthly Sun 09:00-10:00 UTC',
      now: '2026-03-22T00:00:00Z',
      expected: ['2026-03-22: 09:00 - 10:00', '2026-04-26: 09:00 - 10:00', '2026-05-24: 09:00 - 10:00'],
    },
    {
      when: 'an anchor in the fifth week means the last such weekday',
      slot: '1 monthly Mon 09:00-10:00 UTC',
      now: '2026-03-30T00:00:00Z',
      expected: [
        '2026-03-30: 09:00 - 10:00',
        '2026-04-27: 09:00 - 10:00',
        '2026-05-25: 09:00 - 10:00',
        '2026-06-29: 09:00 - 10:00',
      ],
    },
    {
      when: 'the last weekday of February, with a leap day and without',
      slot: '12 monthly Tue 09:00-10:00 UTC',
      now: '2028-02-29T00:00:00Z',
      expected: ['2028-02-29: 09:00 - 10:00', '2029-02-27: 09:00 - 10:00', '2030-02-26: 09:00 - 10:00'],
    },
    {
      when: 'every other month, over the new year',
      slot: '2 monthly Fri 09:00-10:00 UTC',
      now: '2026-11-06T00:00:00Z',
      expected: ['2026-11-06: 09:00 - 10:00', '2027-01-01: 09:00 - 10:00', '2027-03-05: 09:00 - 10:00'],
    },
    {
      when: 'every thirteen years or so',
      slot: '5000 daily Mon 09:00-10:00 UTC',
      now: '2026-03-02T00:00:00Z',
      expected: ['2026-03-02: 09:00 - 10:00', '2039-11-09: 09:00 - 10:00'],
    },
  ])('$when', expectRow)

  test.each(['daily', 'weekly', 'monthly'])(
    '%s, at intervals longer than the calendar: once, then never',
    (interval) => {
      for (const every of [100_000_000, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
        const slot = slotOf(`${every} ${interval} Mon 09:00-10:00 UTC`, '2026-03-02T00:00:00Z')
        expect(take(slot, at('2026-03-02T00:00:00Z'), 3).map(brief)).toEqual(['2026-03-02: 09:00 - 10:00'])
        expect(nextOccurrence(slot, at('2026-03-02T09:00:00Z'))).toBeNull()
      }
    },
  )

  test.each(['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'])('to the end of the year 9999 in %s', (zone) => {
    const slot = slotOf(`1 daily Mon 09:00-10:00 ${zone}`, '2026-03-02T00:00:00Z')
    const last = [...occurrencesAfter(slot, at('9999-12-20T00:00:00Z'))]
    expect(last.at(-1)?.date).toBe('9999-12-29')
    expect(nextOccurrence(slot, at('9999-12-31T00:00:00Z'))).toBeNull()
  })
})

describe('when the clocks change', () => {
  test.each<Row>([
    {
      when: '09:00 stays 09:00 when summer time begins in the north …',
      slot: '1 weekly Mon 09:00-10:00 Europe/Paris',
      now: '2026-03-22T12:00:00Z',
      expected: ['2026-03-23: 08:00 - 09:00', '2026-03-30: 07:00 - 08:00'],
    },
    {
      when: '… and when it ends',
      slot: '1 weekly Mon 09:00-10:00 Europe/Paris',
      now: '2026-10-18T12:00:00Z',
      expected: ['2026-10-19: 07:00 - 08:00', '2026-10-26: 08:00 - 09:00'],
    },
    {
      when: 'it begins in October in the south …',
      slot: '1 weekly Mon 09:00-10:00 Australia/Sydney',
      now: '2026-09-27T12:00:00Z',
      expected: ['2026-09-28: 2026-09-27 23:00 - 00:00', '2026-10-05: 2026-10-04 22:00 - 2026-10-04 23:00'],
    },
    {
      when: '… and ends in April',
      slot: '1 daily Sat 02:30-03:30 Australia/Sydney',
      now: '2026-04-03T12:00:00Z',
      expected: [
        '2026-04-04: 2026-04-03 15:30 - 2026-04-03 16:30',
        // 02:30 comes twice: the first counts. 03:30 comes once, an hour after the second.
        '2026-04-05: 2026-04-04 15:30 - 2026-04-04 17:30',
        '2026-04-06: 2026-04-05 16:30 - 2026-04-05 17:30',
      ],
    },
    {
      when: 'a slot within the gap moves forward whole',
      slot: '1 daily Sat 02:15-02:45 America/New_York',
      now: '2026-03-07T00:00:00Z',
      expected: ['2026-03-07: 07:15 - 07:45', '2026-03-08: 07:15 - 07:45', '2026-03-09: 06:15 - 06:45'],
    },
    {
      when: 'a start in the gap moves past its end: the slot keeps its length',
      slot: '1 weekly Sun 02:30-03:15 America/New_York',
      now: '2026-03-08T00:00:00Z',
      // 02:30 becomes 03:30, 03:15 is 03:15.
      expected: ['2026-03-08: 07:30 - 08:15', '2026-03-15: 06:30 - 07:15'],
    },
    {
      when: 'a start in the gap moves right onto its end: the slot keeps its length',
      slot: '1 weekly Sun 02:00-03:00 America/New_York',
      now: '2026-03-08T00:00:00Z',
      expected: ['2026-03-08: 07:00 - 08:00'],
    },
    {
      when: 'an end in the gap moves forward',
      slot: '1 weekly Sun 01:30-02:30 America/New_York',
      now: '2026-03-08T00:00:00Z',
      expected: ['2026-03-08: 06:30 - 07:30'],
    },
    {
      when: 'a slot over the gap is an hour shorter',
      slot: '1 weekly Sun 01:00-04:00 America/New_York',
      now: '2026-03-08T00:00:00Z',
      expected: ['2026-03-08: 06:00 - 08:00', '2026-03-15: 05:00 - 08:00'],
    },
    {
      when: 'times that come twice are the first ones',
      slot: '1 weekly Sun 01:15-01:45 America/New_York',
      now: '2026-10-31T12:00:00Z',
      expected: ['2026-11-01: 05:15 - 05:45', '2026-11-08: 06:15 - 06:45'],
    },
    {
      when: 'a slot over the hour that comes twice is an hour longer',
      slot: '1 weekly Sun 00:30-02:30 America/New_York',
      now: '2026-10-31T12:00:00Z',
      expected: ['2026-11-01: 04:30 - 07:30'],
    },
    {
      when: 'by half an hour on Lord Howe Island: the gap …',
      slot: '1 weekly Sun 02:10-02:40 Australia/Lord_Howe',
      now: '2026-10-03T12:00:00Z',
      // 02:10 becomes 02:40, which is the end.
      expected: [
        '2026-10-04: 2026-10-03 15:40 - 2026-10-03 16:10',
        '2026-10-11: 2026-10-10 15:10 - 2026-10-10 15:40',
      ],
    },
    {
      when: '… and the half hour that comes twice',
      slot: '1 weekly Sun 01:45-02:15 Australia/Lord_Howe',
      now: '2026-04-04T12:00:00Z',
      expected: [
        '2026-04-05: 2026-04-04 14:45 - 2026-04-04 15:45',
        '2026-04-12: 2026-04-11 15:15 - 2026-04-11 15:45',
      ],
    },
    {
      when: 'at midnight in Chile: the day begins at one',
      slot: '1 daily Sat 00:00-00:30 America/Santiago',
      now: '2026-09-04T12:00:00Z',
      expected: ['2026-09-05: 04:00 - 04:30', '2026-09-06: 04:00 - 04:30', '2026-09-07: 03:00 - 03:30'],
    },
    {
      when: 'before midnight in Chile: the last hour of the day comes twice',
      slot: '1 daily Fri 23:30-23:45 America/Santiago',
      now: '2026-04-03T12:00:00Z',
      expected: [
        '2026-04-03: 2026-04-04 02:30 - 2026-04-04 02:45',
        '2026-04-04: 2026-04-05 02:30 - 2026-04-05 02:45',
        '2026-04-05: 2026-04-06 03:30 - 2026-04-06 03:45',
      ],
    },
    {
      when: 'at midnight in Beirut',
      slot: '1 weekly Sun 00:15-01:00 Asia/Beirut',
      now: '2026-03-28T00:00:00Z',
      expected: [
        '2026-03-29: 2026-03-28 22:15 - 2026-03-28 23:00',
        '2026-04-05: 2026-04-04 21:15 - 2026-04-04 22:00',
      ],
    },
    {
      when: 'at midnight in Cairo, on a Friday',
      slot: '1 weekly Fri 00:45-01:15 Africa/Cairo',
      now: '2026-04-23T00:00:00Z',
      expected: [
        // 00:45 becomes 01:45, behind its end.
        '2026-04-24: 2026-04-23 22:45 - 2026-04-23 23:15',
        '2026-05-01: 2026-04-30 21:45 - 2026-04-30 22:15',
      ],
    },
    {
      when: 'into the next day, where the gap ends after midnight (Toronto, 1919)',
      slot: '1 daily Sun 23:45-23:59 America/Toronto',
      now: '1919-03-30T12:00:00Z',
      expected: ['1919-03-30: 1919-03-31 04:45 - 1919-03-31 04:59'],
    },
    {
      when: 'for Ramadan in Morocco, the other way round',
      slot: '1 weekly Sun 02:30-03:30 Africa/Casablanca',
      now: '2026-02-14T12:00:00Z',
      expected: ['2026-02-15: 01:30 - 03:30', '2026-02-22: 02:30 - 03:30'],
    },
  ])('$when', expectRow)

  test('an occurrence that was moved past midnight is still to come just after midnight', () => {
    const slot = slotOf('1 daily Sun 23:45-23:59 America/Toronto', '1919-03-30T12:00:00Z')
    // The clocks went from 23:30 to 00:30 at 04:30 UTC.
    expect(take(slot, at('1919-03-31T04:40:00Z'), 1).map(brief)).toEqual([
      '1919-03-30: 1919-03-31 04:45 - 1919-03-31 04:59',
    ])
  })
})

describe('far from Greenwich', () => {
  test.each<Row>([
    {
      when: 'half an hour off',
      slot: '1 weekly Mon 09:00-10:00 Asia/Kolkata',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-02: 03:30 - 04:30'],
    },
    {
      when: 'three quarters off',
      slot: '1 weekly Mon 09:00-10:00 Asia/Kathmandu',
      now: '2026-03-01T12:00:00Z',
      expected: ['2026-03-02: 03:15 - 04:15'],
    },
    {
      when: 'three quarters off, with summer time',
      slot: '1 weekly Sun 03:00-04:00 Pacific/Chatham',
      now: '2026-09-26T00:00:00Z',
      // The clocks went from 02:45 to 03:45.
      expected: [
        '2026-09-27: 2026-09-26 14:15 - 2026-09-26 15:15',
        '2026-10-04: 2026-10-03 13:15 - 2026-10-03 14:15',
      ],
    },
    {
      when: 'fourteen hours ahead, where it is tomorrow already',
      slot: '1 weekly Mon 00:30-01:00 Pacific/Kiritimati',
      now: '2026-03-01T10:00:00Z',
      expected: ['2026-03-02: 2026-03-01 10:30 - 2026-03-01 11:00'],
    },
    {
      when: 'twelve hours behind, where it is still yesterday',
      slot: '1 weekly Sat 23:30-23:59 Etc/GMT+12',
      now: '2026-03-01T11:00:00Z',
      expected: [
        '2026-02-28: 2026-03-01 11:30 - 2026-03-01 11:59',
        '2026-03-07: 2026-03-08 11:30 - 2026-03-08 11:59',
      ],
    },
    {
      when: 'Samoa had no 30 December 2011: daily leaves it out',
      slot: '1 daily Thu 09:00-10:00 Pacific/Apia',
      now: '2011-12-29T12:00:00Z',
      expected: ['2011-12-29: 19:00 - 20:00', '2011-12-31: 2011-12-30 19:00 - 2011-12-30 20:00'],
    },
    {
      when: '… and that Friday is left out by a weekly slot, whose phase it keeps',
      slot: '1 weekly Fri 09:00-10:00 Pacific/Apia',
      now: '2011-12-20T12:00:00Z',
      expected: ['2011-12-23: 19:00 - 20:00', '2012-01-06: 2012-01-05 19:00 - 2012-01-05 20:00'],
    },
    {
      when: 'Kwajalein changed sides in August 1993',
      slot: '1 daily Fri 23:00-23:30 Pacific/Kwajalein',
      now: '1993-08-20T20:00:00Z',
      expected: ['1993-08-20: 1993-08-21 11:00 - 1993-08-21 11:30', '1993-08-22: 11:00 - 11:30'],
    },
    {
      when: 'Metlakatla changed its zone and its summer time at once',
      slot: '1 daily Sat 01:30-02:30 America/Metlakatla',
      now: '2015-10-31T00:00:00Z',
      expected: ['2015-10-31: 09:30 - 10:30', '2015-11-01: 09:30 - 11:30', '2015-11-02: 10:30 - 11:30'],
    },
    {
      when: 'Caracas moved by half an hour, at 02:30',
      slot: '1 daily Sat 02:40-02:50 America/Caracas',
      now: '2016-04-30T00:00:00Z',
      expected: ['2016-04-30: 07:10 - 07:20', '2016-05-01: 07:10 - 07:20', '2016-05-02: 06:40 - 06:50'],
    },
  ])('$when', expectRow)
})

describe('the anchor', () => {
  test.each([
    {
      when: 'today is the weekday',
      weekDay: 0,
      zone: 'UTC',
      now: '2026-03-01T00:00:00Z',
      anchor: '2026-03-01',
    },
    {
      when: 'to the last moment',
      weekDay: 0,
      zone: 'UTC',
      now: '2026-03-01T23:59:59.999Z',
      anchor: '2026-03-01',
    },
    { when: 'tomorrow is', weekDay: 1, zone: 'UTC', now: '2026-03-01T12:00:00Z', anchor: '2026-03-02' },
    { when: 'yesterday was', weekDay: 6, zone: 'UTC', now: '2026-03-01T12:00:00Z', anchor: '2026-03-07' },
    {
      when: 'it is Monday there',
      weekDay: 1,
      zone: 'Asia/Tokyo',
      now: '2026-03-01T15:00:00Z',
      anchor: '2026-03-02',
    },
    { when: 'not yet', weekDay: 1, zone: 'Asia/Tokyo', now: '2026-03-01T14:59:59Z', anchor: '2026-03-02' },
    {
      when: 'Sunday is over there',
      weekDay: 0,
      zone: 'Asia/Tokyo',
      now: '2026-03-01T15:00:00Z',
      anchor: '2026-03-08',
    },
    {
      when: 'still Saturday',
      weekDay: 6,
      zone: 'Pacific/Honolulu',
      now: '2026-03-01T09:59:59Z',
      anchor: '2026-02-28',
    },
    { when: 'on the leap day', weekDay: 2, zone: 'UTC', now: '2028-02-29T12:00:00Z', anchor: '2028-02-29' },
  ])('$when: $anchor', ({ weekDay, zone, now, anchor }) => {
    expect(anchorFor({ week_day: weekDay, timezone: zone }, at(now))).toBe(anchor)
  })
})

describe('the UTC values', () => {
  test.each([
    { slot: '1 weekly Mon 09:00-10:00 UTC', now: '2026-03-01T00:00:00Z', utc: [1, '09:00', '10:00'] },
    {
      slot: '1 weekly Mon 05:00-10:00 Asia/Kathmandu',
      now: '2026-03-01T00:00:00Z',
      utc: [0, '23:15', '04:15'],
    },
    {
      slot: '1 weekly Sat 23:00-23:30 America/New_York',
      now: '2026-03-01T06:00:00Z',
      utc: [0, '04:00', '04:30'],
    },
    // Of the first occurrence: in winter still, and in summer already.
    {
      slot: '1 weekly Sun 09:00-10:00 Europe/Paris',
      now: '2026-03-22T07:59:59Z',
      utc: [0, '08:00', '09:00'],
    },
    {
      slot: '1 weekly Sun 09:00-10:00 Europe/Paris',
      now: '2026-03-22T08:00:00Z',
      utc: [0, '07:00', '08:00'],
    },
    // Never again: those of the anchor's own.
    {
      slot: `${2 ** 50} weekly Sun 09:00-10:00 Asia/Tokyo`,
      now: '2026-03-01T12:00:00Z',
      utc: [0, '00:00', '01:00'],
    },
  ])('$slot at $now: $utc', ({ slot, now, utc }) => {
    const { utc_week_day, utc_start_time, utc_end_time } = utcTimes(slotOf(slot, now), at(now))
    expect([utc_week_day, utc_start_time, utc_end_time]).toEqual(utc)
  })
})

const pad = (number: number) => String(number).padStart(2, '0')
/** Clock times in order; most of them in the small hours, where clocks change. */
const clockTimes = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: 0, max: 1_438 }),
      fc.integer({ min: 0, max: 18 }).map((n) => n * 15),
    ),
    fc.oneof(fc.integer({ min: 1, max: 1_439 }), fc.integer({ min: 1, max: 90 })),
  )
  .map(([start, length]) => [start, Math.min(start + length, 1_439)])
  .map((minutes) => minutes.map((m) => `${pad(Math.floor(m / 60))}:${pad(m % 60)}`) as [string, string])

const timezones = fc.oneof(
  fc.constantFrom(...zonesWithSurprises),
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
)

const someInstant = fc
  .integer({ min: Date.parse('1990-01-01T00:00:00Z') / 1000, max: Date.parse('2090-01-01T00:00:00Z') / 1000 })
  .map((seconds) => seconds * 1000)

/** Some hours before or after a clock change of the zone, or any time at all. */
const instantsIn = (zone: string) =>
  fc
    .tuple(someInstant, fc.option(fc.integer({ min: -96 * 3600, max: 30 * 3600 }), { freq: 4 }))
    .map(([milliseconds, seconds]) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone)
      const change = seconds === null ? null : zoned.getTimeZoneTransition('next')
      return at(new Date((change?.epochMilliseconds ?? milliseconds) + 1000 * (seconds ?? 0)).toISOString())
    })

const recurrences = fc.record({
  interval: fc.constantFrom('daily', 'weekly', 'monthly'),
  repeat_every: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(1, 2, 3, 12) },
    fc.integer({ min: 1, max: 40 }),
  ),
})

/** A slot, and the instant after which its occurrences are wanted: that of its creation or up to three years later. */
const asked = timezones.chain((timezone) =>
  fc
    .record({
      now: instantsIn(timezone),
      age: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 * 366 * 86_400 })),
      week_day: fc.integer({ min: 0, max: 6 }),
      recurrence: recurrences,
      times: clockTimes,
    })
    .map(({ now, age, week_day, recurrence, times: [start_time, end_time] }) => {
      // `now` is where the interesting things are; the slot may be older.
      const created = at(new Date(Date.parse(now) - age * 1000).toISOString())
      const anchor = anchorFor({ week_day, timezone }, created)
      const slot: Recurring = {
        id: idOf('slot', 1),
        anchor,
        week_day,
        start_time,
        end_time,
        timezone,
        recurrence,
      }
      return { slot, now }
    }),
)

describe('any slot in any zone', () => {
  test('occurs exactly where a walk from day to day finds it', () => {
    fc.assert(
      fc.property(asked, ({ slot, now }) => {
        const found = take(slot, now, 4)
        expect(found).toEqual(occurrencesByWalk(slot, now, 4))
        expect({ slot_id: slot.id, ...found[0] }).toEqual(nextOccurrence(slot, now))
      }),
      { numRuns: 600 },
    )
  })

  test('is anchored on the first such weekday, seen from there', () => {
    fc.assert(
      fc.property(asked, ({ slot: { week_day, timezone }, now }) => {
        let date = Temporal.Instant.from(now).toZonedDateTimeISO(timezone).toPlainDate()
        while (date.dayOfWeek % 7 !== week_day) date = date.add({ days: 1 })
        expect(anchorFor({ week_day, timezone }, now)).toBe(date.toString())
      }),
      { numRuns: 400 },
    )
  })

  test('occurs one after the other, each in order and none empty', () => {
    fc.assert(
      fc.property(asked, ({ slot, now }) => {
        let before: { start: Instant; end: Instant } = { start: now, end: now }
        for (const occurrence of occurrencesAfter(slot, now).take(6)) {
          expect(occurrence.start > before.start && occurrence.start >= before.end).toBe(true)
          expect(occurrence.end > occurrence.start).toBe(true)
          before = occurrence
        }
      }),
      { numRuns: 400 },
    )
  })

  /** What the standard for calendars says of the same rule. It has no occurrences in gaps: those are left out here. */
  function occurrencesByStandard({ anchor, ...slot }: Recurring, now: Instant, count: number): string[] {
    const day = Temporal.PlainDate.from(anchor)
    const ordinal = Math.ceil(day.day / 7)
    const weekDay = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][slot.week_day]
    const { interval, repeat_every } = slot.recurrence
    const rule = new RRuleTemporal({
      temporal: Temporal as never,
      freq: interval.toUpperCase() as 'DAILY' | 'WEEKLY' | 'MONTHLY',
      interval: repeat_every,
      ...(interval === 'monthly' && { byDay: [`${ordinal === 5 ? -1 : ordinal}${weekDay}`] }),
      // Exact only in UTC: then no start of the rule itself is in a gap.
      dtstart: day.toPlainDateTime(slot.start_time).toZonedDateTime('UTC'),
      cache: false,
    })
    const found: string[] = []
    let date = Temporal.PlainDateTime.from(anchor).subtract({ days: 1 }).toZonedDateTime('UTC')
    const from = Temporal.Instant.from(now).subtract({ hours: 60 })
    if (Temporal.Instant.compare(from, date.toInstant()) > 0) date = from.toZonedDateTimeISO('UTC')
    for (let looked = 0; found.length < count && looked < 200; looked++) {
      const next = rule.next(date) as Temporal.ZonedDateTime | null
      if (!next) break
      date = next
      const local = next.toPlainDateTime()
      const zoned = local.toZonedDateTime(slot.timezone)
      const inGap = !zoned.toPlainDateTime().equals(local)
      const start = at(zoned.toInstant().toString())
      if (!inGap && start > now) found.push(start)
    }
    return found
  }

  test('occurs where RFC 5545 has it, in rrule-temporal', () => {
    fc.assert(
      fc.property(asked, ({ slot, now }) => {
        const isWhole = ({ start }: { start: Instant }) =>
          Temporal.Instant.from(start)
            .toZonedDateTimeISO(slot.timezone)
            .toPlainTime()
            .toString()
            .slice(0, 5) === slot.start_time
        const found = take(slot, now, 6).filter(isWhole).slice(0, 3)
        expect(found.map(({ start }) => start)).toEqual(occurrencesByStandard(slot, now, found.length))
      }),
      { numRuns: 600 },
    )
  })

  test('keeps its local time and weekday except in gaps, whatever the clocks do', () => {
    fc.assert(
      fc.property(asked, ({ slot, now }) => {
        for (const { date, start } of occurrencesAfter(slot, now).take(3)) {
          const local = Temporal.Instant.from(start).toZonedDateTimeISO(slot.timezone)
          const wanted = Temporal.PlainDateTime.from(`${date}T${slot.start_time}`)
          expect(Temporal.PlainDateTime.compare(local.toPlainDateTime(), wanted)).toBeGreaterThanOrEqual(0)
          // Three hours at the Casey station.
          expect(local.toPlainDateTime().since(wanted).total('hours')).toBeLessThanOrEqual(3)
          if (slot.recurrence.interval !== 'daily') {
            expect(Temporal.PlainDate.from(date).dayOfWeek % 7).toBe(slot.week_day)
          }
        }
      }),
      { numRuns: 400 },
    )
  })
})
