import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignPost, instantWithin, planAssignments } from '#shared/domain/assignment.ts'
import type { Holding } from '#shared/domain/holding.ts'
import { blocks, occurrenceName } from '#shared/domain/holding.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds, secondsBetween } from '#shared/domain/instant.ts'
import type { Occurrence } from '#shared/domain/occurrence.ts'
import { anchorFor, occurrencesAfter } from '#shared/domain/occurrence.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Slot } from '#shared/domain/slot.ts'
import { admits, intervals } from '#shared/domain/slot.ts'
import { seeded } from '../support/faults.ts'
import { at, idOf, label, makePost } from './made.ts'

/** A Sunday. */
const now = at('2026-03-01T12:00:00Z')

function makeSlot(number: number, fields: Partial<Slot> = {}): Slot {
  const slot: Slot = {
    id: idOf('slot', number),
    week_day: 1,
    start_time: '09:00',
    end_time: '10:00',
    timezone: 'UTC',
    recurrence: { interval: 'weekly', repeat_every: 1 },
    label_ids: [],
    is_active: true,
    anchor: '',
    utc_week_day: 0,
    utc_start_time: '',
    utc_end_time: '',
    created_at: now,
    updated_at: now,
    version: 0,
    ...fields,
  }
  return { ...slot, anchor: fields.anchor ?? anchorFor(slot, now) }
}

const post = (number: number, labels: Post['labels'] = []) => ({ id: idOf('post', number), labels })

const holding = (slot: Slot, date: string, scheduledAt: string): Holding => ({
  slot_id: slot.id,
  date,
  post_id: idOf('post', 99),
  scheduled_at: at(scheduledAt),
})

const byName = (holdings: Holding[]) => new Map(holdings.map((one) => [occurrenceName(one), one]))

/** Where each post goes: `<slot's number> <start>`; null for nowhere. */
function plan(posts: Pick<Post, 'id' | 'labels'>[], slots: Slot[], holdings: Holding[] = []) {
  const planned = planAssignments(posts, { slots, holdings: byName(holdings), now })
  return posts.map(({ id }) => {
    const occurrence = planned.get(id)
    return occurrence
      ? `${slots.findIndex((slot) => slot.id === occurrence.slot_id) + 1} ${occurrence.start.slice(0, 16)}`
      : null
  })
}

const monday = (labels: Slot['label_ids'] = [], number = 1) => makeSlot(number, { label_ids: labels })
const tuesday = (labels: Slot['label_ids'] = [], number = 2) =>
  makeSlot(number, { week_day: 2, label_ids: labels })

describe('which post gets which occurrence', () => {
  test.each([
    { rule: 'no slots, no place', posts: [post(1)], slots: [], expected: [null] },
    {
      rule: 'the earliest of all slots',
      posts: [post(1)],
      slots: [tuesday(), monday()],
      expected: ['2 2026-03-02T09:00'],
    },
    {
      rule: '2 and 5: in the order of the request, each its own',
      posts: [post(3), post(1), post(2)],
      slots: [monday(), tuesday()],
      expected: ['1 2026-03-02T09:00', '2 2026-03-03T09:00', '1 2026-03-09T09:00'],
    },
    {
      rule: '3: without labels only into slots without',
      posts: [post(1)],
      slots: [monday([label.one]), tuesday()],
      expected: ['2 2026-03-03T09:00'],
    },
    {
      rule: '3: without labels, and only labelled slots',
      posts: [post(1)],
      slots: [monday([label.one])],
      expected: [null],
    },
    {
      rule: '3: with labels only into slots that share one',
      posts: [post(1, [label.one])],
      slots: [monday(), tuesday([label.one])],
      expected: ['2 2026-03-03T09:00'],
    },
    {
      rule: '3: with labels, and only unlabelled slots',
      posts: [post(1, [label.one])],
      slots: [monday()],
      expected: [null],
    },
    {
      rule: '3: with another label',
      posts: [post(1, [label.one])],
      slots: [monday([label.two])],
      expected: [null],
    },
    {
      rule: '3: one shared label of several is enough',
      posts: [post(1, [label.two, label.one])],
      slots: [monday([idOf('label', 7), label.one])],
      expected: ['1 2026-03-02T09:00'],
    },
    {
      rule: '3: each its own kind, all in one request',
      posts: [post(1), post(2, [label.one]), post(3), post(4, [label.two])],
      slots: [monday(), tuesday([label.one])],
      expected: ['1 2026-03-02T09:00', '2 2026-03-03T09:00', '1 2026-03-09T09:00', null],
    },
    {
      rule: '4: inactive slots never',
      posts: [post(1)],
      slots: [makeSlot(1, { is_active: false }), tuesday()],
      expected: ['2 2026-03-03T09:00'],
    },
    {
      rule: '4: nothing but inactive slots',
      posts: [post(1)],
      slots: [makeSlot(1, { is_active: false })],
      expected: [null],
    },
    {
      rule: 'of two that start together, the slot that was created first',
      posts: [post(1), post(2)],
      slots: [monday([], 5), monday([], 2)],
      expected: ['2 2026-03-02T09:00', '1 2026-03-02T09:00'],
    },
    {
      rule: 'the start decides, not the end',
      posts: [post(1)],
      slots: [makeSlot(1, { start_time: '09:01', end_time: '09:02' }), makeSlot(2, { end_time: '23:59' })],
      expected: ['2 2026-03-02T09:00'],
    },
    {
      rule: 'one that has begun is over; one that starts right now has begun',
      posts: [post(1)],
      slots: [makeSlot(1, { week_day: 0, start_time: '12:00', end_time: '13:00' })],
      expected: ['1 2026-03-08T12:00'],
    },
  ])('$rule', ({ posts, slots, expected }) => {
    expect(plan(posts, slots)).toEqual(expected)
  })

  test.each([
    { when: 'at its start', at: '2026-03-02T09:00:00Z', free: false },
    { when: 'just before its end', at: '2026-03-02T09:59:59.999Z', free: false },
    { when: 'at its end', at: '2026-03-02T10:00:00Z', free: true },
    { when: 'just before its start', at: '2026-03-02T08:59:59.999Z', free: true },
    { when: 'on another day', at: '2026-03-05T09:30:00Z', free: true },
  ])('rule 6: a holder $when', ({ at: scheduledAt, free }) => {
    const slot = monday()
    const expected = free ? '1 2026-03-02T09:00' : '1 2026-03-09T09:00'
    expect(plan([post(1)], [slot], [holding(slot, '2026-03-02', scheduledAt)])).toEqual([expected])
  })

  test('rule 6: a holder of another slot does not count, though it is the same time', () => {
    expect(plan([post(1)], [monday()], [holding(tuesday(), '2026-03-02', '2026-03-02T09:30:00Z')])).toEqual([
      '1 2026-03-02T09:00',
    ])
  })

  test('rule 6: whoever lies inside counts, also when the date was another in the zone of then', () => {
    const tokyo = makeSlot(1, { start_time: '00:00', end_time: '23:59', timezone: 'Asia/Tokyo' })
    // 05:00 on Monday in Tokyo; on Sunday, when the slot was in UTC.
    expect(plan([post(1)], [tokyo], [holding(tokyo, '2026-03-01', '2026-03-01T20:00:00Z')])).toEqual([
      '1 2026-03-08T15:00',
    ])
  })
})

describe('a plan that is full', () => {
  const daily = makeSlot(1, { recurrence: { interval: 'daily', repeat_every: 1 } })
  const full = (days: number) =>
    [...occurrencesAfter(daily, now).take(days)].map(({ date, start }) => holding(daily, date, start))

  test('for nearly five years has a place behind them', () => {
    expect(plan([post(1)], [daily], full(1_800))).toEqual(['1 2031-02-04T09:00'])
  })

  test('for longer has none, and other slots are not held up', () => {
    const holdings = full(5 * 366 + 2)
    expect(plan([post(1)], [daily], holdings)).toEqual([null])
    expect(plan([post(1), post(2)], [daily, tuesday()], holdings)).toEqual([
      '2 2026-03-03T09:00',
      '2 2026-03-10T09:00',
    ])
  })

  test('with a free place now and then gives each of them, however far they are apart', () => {
    const holdings = full(2_400)
    holdings.splice(900, 1)
    expect(plan([post(1), post(2), post(3)], [daily], holdings)).toEqual([
      '1 2028-08-18T09:00',
      '1 2032-09-26T09:00',
      '1 2032-09-27T09:00',
    ])
  })

  test('for five years behind a free place gives that one, and no more', () => {
    const [, ...others] = full(5 * 366 + 4)
    expect(plan([post(1), post(2)], [daily], others)).toEqual(['1 2026-03-02T09:00', null])
  })
})

describe('any plan', () => {
  const labels = [label.one, label.two, idOf('label', 3)]
  const someLabels = fc.oneof(fc.constant<Post['labels']>([]), fc.subarray(labels))
  const slots = fc
    .uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 30 }),
        week_day: fc.constantFrom(0, 1, 2),
        times: fc.constantFrom(
          ['09:00', '10:00'],
          ['09:00', '23:30'],
          ['10:00', '10:01'],
          ['00:00', '23:59'],
        ),
        timezone: fc.constantFrom('UTC', 'UTC', 'Europe/Paris', 'Asia/Tokyo', 'Pacific/Kiritimati'),
        interval: fc.constantFrom(...intervals),
        repeat_every: fc.constantFrom(1, 1, 2, 3),
        label_ids: someLabels,
        is_active: fc.constantFrom(true, true, true, false),
      }),
      { minLength: 1, maxLength: 5, selector: ({ number }) => number },
    )
    .map((many) =>
      many.map(({ number, times: [start_time = '', end_time = ''], interval, repeat_every, ...fields }) =>
        makeSlot(number, {
          ...fields,
          start_time,
          end_time,
          recurrence: { interval, repeat_every },
        }),
      ),
    )
  const posts = fc
    .array(someLabels, { minLength: 1, maxLength: 6 })
    .map((many) => many.map((own, n) => post(n, own)))

  /** Of the first occurrences of each slot some are taken, and some were: their holders lie elsewhere by now. */
  const holdingsOf = (many: Slot[]) =>
    fc
      .array(
        fc.record({
          slot: fc.constantFrom(...many),
          index: fc.integer({ min: 0, max: 4 }),
          part: fc.constantFrom(0, 0, 0.5, 0.999, 1, -0.01, 24, -30),
        }),
        { maxLength: 8 },
      )
      .map((some) =>
        some.map(({ slot, index, part }) => {
          const [occurrence] = occurrencesAfter(slot, now).drop(index).take(1)
          const { date, start, end } = occurrence as Occurrence
          return holding(slot, date, plusSeconds(start, Math.floor(part * secondsBetween(start, end))))
        }),
      )

  const cases = slots.chain((many) =>
    fc.record({ slots: fc.constant(many), posts, holdings: holdingsOf(many) }),
  )

  /** The contract, word by word: for each post, every occurrence of every slot is looked at. */
  function planByRules({
    slots: all,
    posts: inOrder,
    holdings,
  }: {
    slots: Slot[]
    posts: ReturnType<typeof post>[]
    holdings: Holding[]
  }) {
    const current = [...byName(holdings).values()]
    const given = new Set<string>()
    const enough = inOrder.length + holdings.length + 1
    return inOrder.map(({ id, labels: own }) => {
      const best = all
        .filter(({ is_active }) => is_active)
        .filter(({ label_ids }) =>
          own.length === 0 ? label_ids.length === 0 : label_ids.some((one) => own.includes(one)),
        )
        .flatMap((slot) => [...occurrencesAfter(slot, now).take(enough)])
        .filter((one) => !given.has(occurrenceName(one)))
        .filter(
          ({ slot_id, start, end }) =>
            !current.some(
              (held) => held.slot_id === slot_id && held.scheduled_at >= start && held.scheduled_at < end,
            ),
        )
        .sort((one, other) => (`${one.start} ${one.slot_id}` < `${other.start} ${other.slot_id}` ? -1 : 1))[0]
      if (best) given.add(occurrenceName(best))
      return [id, best] as const
    })
  }

  test('is what the rules say, word by word', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const planned = planAssignments(given.posts, { ...given, holdings: byName(given.holdings), now })
        expect(given.posts.map(({ id }) => [id, planned.get(id)])).toEqual(planByRules(given))
      }),
      { numRuns: 600 },
    )
  })

  test('does not depend on the order in which slots and holdings are read', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const holdings = byName(given.holdings)
        const reversed = new Map([...holdings].reverse())
        expect(
          planAssignments(given.posts, { slots: given.slots.toReversed(), holdings: reversed, now }),
        ).toEqual(planAssignments(given.posts, { slots: given.slots, holdings, now }))
      }),
      { numRuns: 200 },
    )
  })
})

describe('labels', () => {
  test.each([
    { slot: [], own: [], fits: true },
    { slot: [label.one], own: [], fits: false },
    { slot: [], own: [label.one], fits: false },
    { slot: [label.one], own: [label.one], fits: true },
    { slot: [label.one, label.two], own: [label.two], fits: true },
    { slot: [label.one], own: [label.two], fits: false },
  ])('$slot.length of the slot, $own.length of the post: $fits', ({ slot, own, fits }) => {
    expect(admits({ label_ids: slot }, own)).toBe(fits)
  })
})

describe('when a post in an occurrence goes out', () => {
  const minute: Occurrence = {
    slot_id: idOf('slot', 1),
    date: '2026-03-02',
    start: at('2026-03-02T09:00:00Z'),
    end: at('2026-03-02T09:01:00Z'),
  }

  test('rule 7: at its start, where times are exact; nothing is drawn', () => {
    const below = () => {
      throw new Error('Drawn')
    }
    expect(instantWithin(minute, { exact: true, below })).toBe(minute.start)
  })

  test.each([
    { drawn: 0, expected: '2026-03-02T09:00:00.000Z' },
    { drawn: 59, expected: '2026-03-02T09:00:59.000Z' },
  ])('rule 7: the draw decides otherwise: $drawn of 60', ({ drawn, expected }) => {
    const below = (limit: number) => {
      expect(limit).toBe(60)
      return drawn
    }
    expect(instantWithin(minute, { exact: false, below })).toBe(expected)
  })

  test.each([
    { seed: 1, seconds: 60 },
    { seed: 2, seconds: 60 },
    { seed: 3, seconds: 3_600 },
    { seed: 4, seconds: 8 * 3_600 },
    { seed: 5, seconds: 23 * 3_600 + 59 * 60 },
  ])('rule 7: uniformly over $seconds seconds (seed $seed)', ({ seed, seconds }) => {
    const random = seeded(seed)
    const occurrence = { ...minute, end: plusSeconds(minute.start, seconds) }
    const below = (limit: number) => Math.floor(random() * limit)
    const cells = 60
    const draws = 12_000
    const counts = Array.from({ length: cells }, () => 0)
    for (let draw = 0; draw < draws; draw++) {
      const drawn: Instant = instantWithin(occurrence, { exact: false, below })
      const offset = secondsBetween(occurrence.start, drawn)
      expect(Number.isInteger(offset) && blocks({ scheduled_at: drawn }, occurrence)).toBe(true)
      counts[Math.floor((offset / seconds) * cells)]! += 1
    }
    const expected = draws / cells
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 59 degrees of freedom: one in a thousand is beyond 98.3, and one in a thousand below 30.7.
    expect(chiSquare).toBeLessThan(98.3)
    expect(chiSquare).toBeGreaterThan(30.7)
  })

  test('rule 8: it is scheduled, or waits for approval with the same time and slot', () => {
    const draft = makePost({ slot_date: null })
    const scheduledAt = at('2026-03-02T09:00:30Z')
    const assigned = {
      ...draft,
      slot_id: minute.slot_id,
      slot_date: minute.date,
      scheduled_at: scheduledAt,
      updated_at: now,
    }
    expect(assignPost(draft, minute, { scheduledAt, now, requiresApproval: false })).toEqual({
      ...assigned,
      status: 'scheduled',
      approval: { status: 'not_required', reason: null, decided_at: null },
    })
    expect(assignPost(draft, minute, { scheduledAt, now, requiresApproval: true })).toEqual({
      ...assigned,
      status: 'pending_approval',
      approval: { status: 'pending', reason: null, decided_at: null },
    })
  })
})
