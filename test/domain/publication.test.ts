import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantAt, millisecondsOf, plusSeconds, secondsBetween } from '#shared/domain/instant.ts'
import type { Publication } from '#shared/domain/publication.ts'
import { isFinal, summarise } from '#shared/domain/publication.ts'
import type { StepOutcome } from '#shared/domain/publication-steps.ts'
import {
  arm,
  isPoisonous,
  queuePublication,
  settle,
  takePublication,
} from '#shared/domain/publication-steps.ts'
import { account, idOf, now, past, soon } from './made.ts'

const base = {
  publication_id: idOf('publication', 1),
  post_id: idOf('post', 1),
  social_provider_id: account.mastodon,
  provider_type: 'mastodon',
  round: 1,
} as const
const queued = queuePublication(base, undefined, now)
const error = { code: 'BUSY', message: 'The network is busy' }
const part = { platform_post_id: 'p1', url: 'https://a.example/p1' }
const reply = { platform_post_id: 'p2', url: 'https://a.example/p2' }

/** In the hands of a worker, at this attempt. */
const held = (fields: Partial<Publication> = {}): Publication => ({
  ...takePublication(queued, now)!,
  ...fields,
})
const settled = (publication: Publication, outcome: StepOutcome, random = 0.5) =>
  settle(publication, outcome, { now, random })

describe('a publication is taken', () => {
  const leaseEnds = plusSeconds(now, 20)
  test.each([
    { when: 'it is due', given: {}, expected: { attempts: 1, act_at: leaseEnds } },
    { when: 'it is overdue', given: { act_at: past }, expected: { attempts: 1, act_at: leaseEnds } },
    { when: 'it is to be tried again', given: { attempts: 3 }, expected: { attempts: 4, act_at: leaseEnds } },
    {
      when: 'the network has had its time',
      given: { status: 'publishing', step: 'poll', attempts: 2 },
      expected: { attempts: 2, act_at: leaseEnds },
    },
    {
      when: 'its worker vanished',
      given: { status: 'publishing', leased: true, attempts: 2 },
      expected: { attempts: 3, act_at: leaseEnds },
    },
    {
      when: 'its worker vanished while waiting',
      given: { status: 'publishing', leased: true, step: 'poll', attempts: 2 },
      expected: { attempts: 3, act_at: leaseEnds },
    },
    {
      when: 'its worker vanished with it armed',
      given: { status: 'publishing', leased: true, step: 'armed', attempts: 2 },
      expected: { attempts: 2, step: 'armed', act_at: plusSeconds(now, 65) },
    },
    {
      when: 'the network is to be asked what landed',
      given: { status: 'publishing', step: 'armed', attempts: 2 },
      expected: { attempts: 2, step: 'armed', act_at: plusSeconds(now, 65) },
    },
  ] satisfies { when: string; given: Partial<Publication>; expected: Partial<Publication> }[])(
    'when $when',
    ({ given, expected }) => {
      const before = { ...queued, ...(given as Partial<Publication>) }
      expect(takePublication(before, now)).toEqual({
        ...before,
        status: 'publishing',
        leased: true,
        fence: before.fence + 1,
        ...expected,
      })
    },
  )

  test.each([
    { when: 'it is not due yet', given: { act_at: plusSeconds(now, 0.001) } },
    { when: 'somebody has it', given: { status: 'publishing', leased: true, act_at: soon } },
    { when: 'it is published', given: { status: 'published', act_at: past } },
    { when: 'it failed', given: { status: 'failed', act_at: past } },
    { when: 'nobody knows its outcome', given: { status: 'outcome_unknown', act_at: past } },
    { when: 'it failed with a lease on it', given: { status: 'failed', leased: true, act_at: past } },
  ] satisfies { when: string; given: Partial<Publication> }[])('but not when $when', ({ given }) => {
    expect(takePublication({ ...queued, ...(given as Partial<Publication>) }, now)).toBeUndefined()
  })
})

describe('a failed try is repeated', () => {
  const delays = [5, 30, 120, 600]

  test.each(delays.map((delay, index) => ({ attempt: index + 1, delay })))(
    'after $delay s ± 20 % at attempt $attempt',
    ({ attempt, delay }) => {
      const retriedAt = (random: number) =>
        secondsBetween(now, settled(held({ attempts: attempt }), { kind: 'retryable', error }, random).act_at)
      expect(retriedAt(0)).toBeCloseTo(delay * 0.8, 3)
      expect(retriedAt(0.5)).toBeCloseTo(delay, 3)
      expect(retriedAt(0.999_999)).toBeLessThanOrEqual(delay * 1.2)
      fc.assert(
        fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
          expect(retriedAt(random)).toBeGreaterThanOrEqual(delay * 0.8)
          expect(retriedAt(random)).toBeLessThanOrEqual(delay * 1.2)
        }),
      )
    },
  )

  test('five times at most', () => {
    let publication = queued
    const times: number[] = []
    let at = now
    while (!isFinal(publication)) {
      at = publication.act_at > at ? publication.act_at : at
      const taken = takePublication(publication, at)!
      times.push(secondsBetween(now, at))
      publication = settle(taken, { kind: 'retryable', error }, { now: at, random: 0.5 })
    }
    expect(times).toEqual([0, 5, 35, 155, 755])
    expect(publication).toMatchObject({ status: 'failed', error, attempts: 5, leased: false })
  })

  test.each([
    { what: 'is honoured', at: plusSeconds(now, 3_600), expected: plusSeconds(now, 3_600) },
    { what: 'is honoured even if it is sooner', at: plusSeconds(now, 1), expected: plusSeconds(now, 1) },
    { what: 'is not believed when it is past', at: past, expected: plusSeconds(now, 5) },
    { what: 'is not believed when it is now', at: now, expected: plusSeconds(now, 5) },
    { what: 'may be absent', at: undefined, expected: plusSeconds(now, 5) },
  ])('the network’s own hint $what', ({ at, expected }) => {
    expect(settled(held(), { kind: 'retryable', error, at }).act_at).toBe(expected)
  })

  test('not after the last attempt, whatever the network hints', () => {
    expect(settled(held({ attempts: 5 }), { kind: 'retryable', error, at: soon })).toMatchObject({
      status: 'failed',
    })
  })

  test('with what was prepared, unless that is of no use any more', () => {
    const prepared = held({ handles: { container: '1' }, step: 'poll' })
    expect(settled(prepared, { kind: 'retryable', error })).toMatchObject({
      status: 'queued',
      step: 'prepare',
      handles: { container: '1' },
      error,
    })
    expect(settled(prepared, { kind: 'retryable', error, restart: true })).toMatchObject({
      step: 'prepare',
      handles: {},
    })
  })

  test('without being armed any more', () => {
    const armed = arm(held(), now)
    expect(settled(armed, { kind: 'retryable', error })).toMatchObject({
      status: 'queued',
      step: 'prepare',
      armed_at: null,
      leased: false,
    })
  })
})

test('arming says when, and lasts longer than the function may run', () => {
  expect(arm(held(), now)).toMatchObject({
    step: 'armed',
    armed_at: now,
    leased: true,
    act_at: plusSeconds(now, 65),
  })
})

describe('what becomes of a step', () => {
  const sent = (last: boolean, complete: boolean): StepOutcome => ({ kind: 'sent', part, last, complete })
  const armed = arm(held({ handles: { container: '1' } }), now)
  const rows: { when: string; from: Publication; outcome: StepOutcome; expected: Partial<Publication> }[] = [
    {
      when: 'the network is at work',
      from: held(),
      outcome: { kind: 'processing', at: soon },
      expected: { status: 'publishing', step: 'poll', leased: false, act_at: soon },
    },
    {
      when: 'the first of several parts is out',
      from: armed,
      outcome: sent(false, true),
      expected: {
        status: 'publishing',
        step: 'prepare',
        leased: true,
        armed_at: null,
        sent: [part],
        handles: {},
        platform_post_id: 'p1',
        url: part.url,
      },
    },
    {
      when: 'the last part is out, and is to be confirmed',
      from: armed,
      outcome: sent(true, false),
      expected: {
        status: 'publishing',
        step: 'confirm',
        leased: true,
        armed_at: null,
        sent: [part],
        handles: { container: '1' },
      },
    },
    {
      when: 'the last part is out',
      from: armed,
      outcome: sent(true, true),
      expected: {
        status: 'published',
        leased: false,
        sent: [part],
        platform_post_id: 'p1',
        url: part.url,
        published_at: now,
        error: null,
      },
    },
    {
      when: 'a reply is out: the post is still known by its first part',
      from: { ...armed, sent: [part], platform_post_id: 'p1', url: part.url },
      outcome: { kind: 'sent', part: reply, last: true, complete: true },
      expected: { status: 'published', sent: [part, reply], platform_post_id: 'p1', url: part.url },
    },
    {
      when: 'it is confirmed, with an address',
      from: held({ step: 'confirm', sent: [part], url: part.url }),
      outcome: { kind: 'confirmed', url: 'https://a.example/nicer' },
      expected: { status: 'published', url: 'https://a.example/nicer', published_at: now, leased: false },
    },
    {
      when: 'it is confirmed, without one',
      from: held({ step: 'confirm', sent: [part], url: part.url }),
      outcome: { kind: 'confirmed', url: null },
      expected: { status: 'published', url: part.url },
    },
    {
      when: 'it is refused',
      from: armed,
      outcome: { kind: 'permanent', error },
      expected: { status: 'failed', error, leased: false, published_at: null },
    },
    {
      when: 'the authorisation is gone',
      from: held(),
      outcome: { kind: 'reauth', error },
      expected: { status: 'failed', error, leased: false },
    },
    {
      when: 'a permalink is refused after everything is out',
      from: held({ step: 'confirm', sent: [part] }),
      outcome: { kind: 'permanent', error },
      expected: { status: 'published', error: null, published_at: now },
    },
    {
      when: 'a permalink needs another try',
      from: held({ step: 'confirm', sent: [part] }),
      outcome: { kind: 'retryable', error },
      expected: { status: 'queued', step: 'confirm', sent: [part], leased: false },
    },
    {
      when: 'a permalink was asked for five times',
      from: held({ step: 'confirm', sent: [part], attempts: 5 }),
      outcome: { kind: 'retryable', error },
      expected: { status: 'published', error: null },
    },
    {
      when: 'the answer is lost',
      from: armed,
      outcome: { kind: 'ambiguous', error, askAt: soon },
      expected: { status: 'publishing', step: 'armed', leased: false, act_at: soon, error, armed_at: now },
    },
    {
      when: 'nobody can tell what landed',
      from: armed,
      outcome: { kind: 'unknown', error },
      expected: { status: 'outcome_unknown', leased: false, error, published_at: null },
    },
  ]
  test.each(rows)('when $when', ({ from, outcome, expected }) => {
    const untouched = structuredClone(from)
    expect(settled(from, outcome)).toMatchObject(expected)
    expect(settled(from, outcome).fence).toBeGreaterThanOrEqual(from.fence)
    expect(from).toEqual(untouched)
  })
})

describe('a lost answer', () => {
  const lost = settled(arm(held(), now), { kind: 'ambiguous', error, askAt: plusSeconds(now, 5) })
  const asked = takePublication(lost, plusSeconds(now, 5))!

  test('is asked about by whoever takes it next, who sends nothing', () => {
    expect(asked).toMatchObject({ step: 'armed', attempts: 1, fence: lost.fence + 1 })
  })

  test.each([
    {
      when: 'it landed',
      outcome: { kind: 'sent', part, last: true, complete: true } as StepOutcome,
      expected: { status: 'published', sent: [part], error: null },
    },
    {
      when: 'it did not',
      outcome: { kind: 'retryable', error } as StepOutcome,
      expected: { status: 'queued', step: 'prepare', sent: [], attempts: 1 },
    },
    {
      when: 'nobody can tell',
      outcome: { kind: 'unknown', error } as StepOutcome,
      expected: { status: 'outcome_unknown', error },
    },
  ])('when $when', ({ outcome, expected }) => {
    expect(settled(asked, outcome)).toMatchObject(expected)
  })
})

test('one over which worker after worker vanishes is not given to a sixth', () => {
  let publication = queued
  let at = millisecondsOf(now)
  const taken: boolean[] = []
  for (let visit = 0; visit < 6; visit++) {
    publication = takePublication(publication, instantAt(at))!
    taken.push(isPoisonous(publication))
    at += 20_000
  }
  expect(taken).toEqual([false, false, false, false, false, true])
})

describe('a new round', () => {
  const again = (before: Publication) =>
    queuePublication({ ...base, publication_id: idOf('publication', 2), round: 2 }, before, soon)

  test('of a failed one keeps its ID and what was sent, and tries anew', () => {
    const failed = held({
      status: 'failed',
      sent: [part],
      platform_post_id: 'p1',
      url: part.url,
      attempts: 5,
      error,
      fence: 9,
      handles: { a: '1' },
    })
    expect(again(failed)).toMatchObject({
      publication_id: base.publication_id,
      round: 2,
      status: 'queued',
      step: 'prepare',
      sent: [part],
      platform_post_id: 'p1',
      attempts: 0,
      error: null,
      fence: 10,
      handles: {},
      act_at: soon,
      armed_at: null,
    })
  })

  test('of a published one sends everything again', () => {
    const published = held({
      status: 'published',
      sent: [part, reply],
      platform_post_id: 'p1',
      url: part.url,
      published_at: now,
      fence: 4,
    })
    expect(again(published)).toMatchObject({
      publication_id: base.publication_id,
      sent: [],
      platform_post_id: null,
      url: null,
      published_at: null,
      fence: 5,
    })
  })

  test('of none starts with a fence of one', () => {
    expect(queued).toMatchObject({ publication_id: base.publication_id, fence: 1, attempts: 0, sent: [] })
  })
})

test('callers see what concerns them, and nothing of the machinery', () => {
  expect(summarise(held({ handles: { token: 'secret' } }))).toEqual({
    publication_id: base.publication_id,
    social_provider_id: account.mastodon,
    provider_type: 'mastodon',
    status: 'publishing',
    platform_post_id: null,
    url: null,
    error: null,
    attempts: 1,
    published_at: null,
  })
})
