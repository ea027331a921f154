/**
 * The promise of the publisher, against a network and workers that do their worst: what was accepted once is never
 * sent again. Workers crash between any two steps, come in pairs, and act on what they read long ago; the store
 * refuses a write whose fence is old, and that is all the help they get.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds, secondsBetween } from '#shared/domain/instant.ts'
import type { Publication } from '#shared/domain/publication.ts'
import { isFinal } from '#shared/domain/publication.ts'
import type { StepOutcome } from '#shared/domain/publication-steps.ts'
import {
  arm,
  isPoisonous,
  queuePublication,
  settle,
  takePublication,
} from '#shared/domain/publication-steps.ts'
import { account, idOf, now } from './made.ts'

const error = { code: 'E', message: 'Error' }
/** AWS ends the publishing function then; a call to the network that was made by then may still land. */
const functionSeconds = 60

/** What the network makes of the one call that counts. */
type Answer = 'accepts' | 'refuses for now' | 'refuses' | 'accepts, answer lost' | 'loses it'
/** What it says before that call, and after the last. */
type Readiness = 'ready' | 'at work' | 'busy' | 'refuses' | 'signed out'
/** What it says when it is asked what landed. */
type Knowledge = 'knows' | 'cannot tell' | 'does not answer'

interface Move {
  worker: number
  seconds: number
  crash: boolean
  readiness: Readiness
  answer: Answer
  knowledge: Knowledge
}

type Worker =
  | { at: 'idle' }
  | { at: 'read'; found: Publication }
  | { at: 'holding'; held: Publication; since: Instant }
  | { at: 'arming'; held: Publication; since: Instant }
  | { at: 'armed'; held: Publication; since: Instant }
  | { at: 'answered'; held: Publication; outcome: StepOutcome; since: Instant }

interface StageOptions {
  parts: number
  canConfirm?: boolean
  /** A worker may take what it read some time ago. */
  readsAreOld?: boolean
}

/** A publication, the network that it goes to, and those who work on it. */
function makeStage({ parts, canConfirm = true, readsAreOld = false }: StageOptions) {
  let stored = queuePublication(
    {
      publication_id: idOf('publication', 1),
      post_id: idOf('post', 1),
      social_provider_id: account.x,
      provider_type: 'x',
      round: 1,
    },
    undefined,
    now,
  )
  let clock = now
  let takes = 0
  const accepted: number[] = Array.from({ length: parts }, () => 0)
  const workers: Worker[] = Array.from({ length: 3 }, () => ({ at: 'idle' }))

  /** Writes if the fence is still that one. */
  function save(next: Publication, fence: number): boolean {
    if (stored.fence !== fence) return false
    expect(next.fence).toBeGreaterThanOrEqual(stored.fence)
    // What is settled stays settled, and what is out stays out.
    expect(isFinal(stored)).toBe(false)
    expect(next.sent.slice(0, stored.sent.length)).toEqual(stored.sent)
    stored = next
    return true
  }

  const sentPart = (index: number): StepOutcome => ({
    kind: 'sent',
    part: { platform_post_id: `p${index}`, url: null },
    last: index === parts - 1,
    complete: !canConfirm,
  })

  function ready(held: Publication, move: Move): StepOutcome | 'ready' {
    if (isPoisonous(held)) return { kind: 'permanent', error }
    if (held.step === 'armed') return landed(held, move.knowledge)
    if (move.readiness === 'busy') return { kind: 'retryable', error }
    if (move.readiness === 'refuses') return { kind: 'permanent', error }
    if (move.readiness === 'signed out') return { kind: 'reauth', error }
    if (held.step === 'confirm') return { kind: 'confirmed', url: null }
    if (move.readiness === 'at work') return { kind: 'processing', at: plusSeconds(clock, 3) }
    return 'ready'
  }

  function landed(held: Publication, knowledge: Knowledge): StepOutcome {
    if (knowledge === 'cannot tell') return { kind: 'unknown', error }
    if (knowledge === 'does not answer') return { kind: 'ambiguous', error, askAt: plusSeconds(clock, 60) }
    return accepted[held.sent.length] ? sentPart(held.sent.length) : { kind: 'retryable', error }
  }

  function send(held: Publication, answer: Answer): StepOutcome {
    const index = held.sent.length
    if (answer === 'accepts' || answer === 'accepts, answer lost') {
      accepted[index] = (accepted[index] ?? 0) + 1
      // The promise.
      expect(accepted[index]).toBe(1)
      expect(accepted.slice(0, index).every((count) => count === 1)).toBe(true)
    }
    if (answer === 'accepts') return sentPart(index)
    if (answer === 'refuses for now') return { kind: 'retryable', error }
    if (answer === 'refuses') return { kind: 'permanent', error }
    return { kind: 'ambiguous', error, askAt: plusSeconds(clock, 5) }
  }

  function act(worker: Worker, move: Move): Worker {
    switch (worker.at) {
      case 'idle':
        if (readsAreOld) return { at: 'read', found: stored }
        return act({ at: 'read', found: stored }, move)
      case 'read': {
        const taken = takePublication(worker.found, clock)
        if (!taken || !save(taken, worker.found.fence)) return { at: 'idle' }
        expect(taken.fence).toBeGreaterThan(worker.found.fence)
        takes++
        return { at: 'holding', held: taken, since: clock }
      }
      case 'holding': {
        const outcome = ready(worker.held, move)
        return outcome === 'ready' ? { ...worker, at: 'arming' } : { ...worker, at: 'answered', outcome }
      }
      case 'arming': {
        const armed = arm(worker.held, clock)
        return save(armed, worker.held.fence) ? { ...worker, at: 'armed', held: armed } : { at: 'idle' }
      }
      case 'armed':
        return { ...worker, at: 'answered', outcome: send(worker.held, move.answer) }
      case 'answered': {
        const next = settle(worker.held, worker.outcome, { now: clock, random: 0.5 })
        if (!save(next, worker.held.fence)) return { at: 'idle' }
        return next.leased && !isFinal(next)
          ? { at: 'holding', held: next, since: worker.since }
          : { at: 'idle' }
      }
    }
  }

  return {
    accepted,
    get stored() {
      return stored
    },
    get takes() {
      return takes
    },
    play(move: Move) {
      clock = plusSeconds(clock, move.seconds)
      for (const [index, worker] of workers.entries()) {
        const overdue = 'since' in worker && secondsBetween(worker.since, clock) > functionSeconds
        if (overdue || (move.crash && index === move.worker)) workers[index] = { at: 'idle' }
      }
      if (!move.crash) workers[move.worker] = act(workers[move.worker] ?? { at: 'idle' }, move)
    },
    /** A person queues it again after it failed. */
    queueAgain() {
      if (stored.status !== 'failed') return
      stored = queuePublication({ ...stored, round: stored.round + 1 }, stored, clock)
    },
    /** Everybody vanishes; then one worker goes on with these moves, whenever there is something to do. */
    playAlone(next: () => Move, mostMoves: number): number {
      for (const index of workers.keys()) workers[index] = { at: 'idle' }
      let moves = 0
      for (; !isFinal(stored) && moves < mostMoves; moves++) {
        const waits = workers[0]?.at === 'idle' && stored.act_at > clock
        this.play({ ...next(), worker: 0, seconds: waits ? secondsBetween(clock, stored.act_at) : 0 })
      }
      return moves
    },
  }
}

const readiness = fc.constantFrom<Readiness>(
  'ready',
  'ready',
  'ready',
  'ready',
  'at work',
  'busy',
  'refuses',
  'signed out',
)
const answers = fc.constantFrom<Answer>(
  'accepts',
  'accepts',
  'accepts, answer lost',
  'loses it',
  'refuses for now',
  'refuses',
)
const knowledge = fc.constantFrom<Knowledge>('knows', 'knows', 'knows', 'cannot tell', 'does not answer')
const moves: fc.Arbitrary<Move> = fc.record({
  worker: fc.nat({ max: 2 }),
  seconds: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 0, 1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 70 }) },
  ),
  crash: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  readiness,
  answer: answers,
  knowledge,
})
const good: Move = {
  worker: 0,
  seconds: 0,
  crash: false,
  readiness: 'ready',
  answer: 'accepts',
  knowledge: 'knows',
}

describe('whatever the network and the workers do', () => {
  test('no part is accepted twice, and every publication ends', () => {
    const ends: Record<string, number> = {}
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        fc.array(moves, { minLength: 5, maxLength: 120, size: 'max' }),
        (parts, canConfirm, played) => {
          const stage = makeStage({ parts, canConfirm, readsAreOld: true })
          for (const move of played) stage.play(move)
          const left = stage.playAlone(() => good, 100)
          expect(left).toBeLessThan(60)
          const { status, sent, fence } = stage.stored
          expect(fence).toBeGreaterThan(stage.takes)
          if (status === 'published') expect(stage.accepted).toEqual(sent.map(() => 1))
          if (status === 'failed')
            expect(stage.accepted).toEqual(stage.accepted.map((_, index) => (index < sent.length ? 1 : 0)))
          ends[status] = (ends[status] ?? 0) + 1
        },
      ),
      { numRuns: 1_500 },
    )
    expect(Object.keys(ends).sort()).toEqual(['failed', 'outcome_unknown', 'published'])
    // Each end is common enough to mean something.
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(40)
  })

  test('what failed and is queued again is sent from where it stopped', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.array(moves, { maxLength: 60, size: 'max' }), { minLength: 2, maxLength: 4 }),
        (parts, rounds) => {
          const stage = makeStage({ parts, readsAreOld: true })
          for (const played of rounds) {
            for (const move of played) stage.play(move)
            stage.queueAgain()
          }
          stage.playAlone(() => good, 100)
          expect(isFinal(stage.stored)).toBe(true)
          if (stage.stored.status === 'published')
            expect(stage.accepted.every((count) => count === 1)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('it ends within a bounded number of tries even if nothing ever gets better', () => {
    const never = moves.map(
      (move): Move => ({
        ...move,
        // Neither patience with the network nor its silence is a try.
        readiness: move.readiness === 'at work' ? 'ready' : move.readiness === 'ready' ? 'ready' : 'busy',
        answer:
          move.answer === 'accepts'
            ? 'accepts, answer lost'
            : move.answer === 'refuses'
              ? 'refuses for now'
              : move.answer,
        knowledge: 'knows',
      }),
    )
    fc.assert(
      fc.property(fc.infiniteStream(never), (stream) => {
        const stage = makeStage({ parts: 2 })
        const played = stage.playAlone(() => stream.next().value as Move, 1_000)
        expect(isFinal(stage.stored)).toBe(true)
        expect(played).toBeLessThan(1_000)
      }),
      { numRuns: 300 },
    )
  })
})
