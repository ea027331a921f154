/**
 * How a publication moves. Pure: each function answers the next state, and the
 * store writes it only if the fence is still the one that was read.
 *
 *   queued ─take─► prepare ⇄ poll ─arm─► armed ─sent─► (next reply: prepare …) ─► confirm ─► published
 *                     └────────── retryable: queued again, at most 5 attempts ──────────► failed
 *                     armed, and the answer is lost: the network is asked what landed; where it cannot tell,
 *                     outcome_unknown, and nothing is ever sent again by itself
 *
 * Nothing that others can see happens before `armed`. So an unarmed publication whose worker vanished may be taken
 * over as soon as its short lease ends: the vanished worker cannot arm any more, because its fence is old. An armed
 * one is looked at again only when its worker cannot be alive any longer.
 */
import type { Instant } from './instant.ts'
import { plusSeconds } from './instant.ts'
import type { Publication, PublicationError, SentPart } from './publication.ts'
import { isFinal } from './publication.ts'

/** How one step ended, in the engine's words. */
export type StepOutcome =
  /** The network is still working; look again then. */
  | { kind: 'processing'; at: Instant }
  /** `last`: there are no more parts; `complete`: nor anything to confirm. */
  | { kind: 'sent'; part: SentPart; last: boolean; complete: boolean }
  | { kind: 'confirmed'; url: string | null }
  /** Certain to have had no effect; `restart`: what was prepared is of no use any more. */
  | { kind: 'retryable'; error: PublicationError; at?: Instant | undefined; restart?: boolean | undefined }
  | { kind: 'permanent'; error: PublicationError }
  /** The account's authorisation is gone: as permanent, and the account needs reconnecting. */
  | { kind: 'reauth'; error: PublicationError }
  /** It may have been accepted: ask the network then. */
  | { kind: 'ambiguous'; error: PublicationError; askAt: Instant }
  /** Asked, and nobody can tell. */
  | { kind: 'unknown'; error: PublicationError }

const mostAttempts = 5
const retryDelaysSeconds = [5, 30, 120, 600]
const retrySpread = 0.2
/** Longer than one provider call may take (`providerCallSeconds`). */
const unarmedLeaseSeconds = 20
/** Longer than the publishing function may run: when it ends, whoever armed the publication is gone. */
const armedLeaseSeconds = 65

/** How long one call to a network may take while nothing can be lost by giving up. */
export const providerCallSeconds = 15

/** A publication's first state in a round; of an earlier round it keeps its ID, and what a failed one had sent. */
export function queuePublication(
  base: Pick<Publication, 'publication_id' | 'post_id' | 'social_provider_id' | 'provider_type' | 'round'>,
  before: Publication | undefined,
  now: Instant,
): Publication {
  const continued = before?.status === 'failed' ? before : undefined
  return {
    ...base,
    publication_id: before?.publication_id ?? base.publication_id,
    status: 'queued',
    platform_post_id: continued?.platform_post_id ?? null,
    url: continued?.url ?? null,
    error: null,
    attempts: 0,
    published_at: null,
    fence: (before?.fence ?? 0) + 1,
    step: 'prepare',
    act_at: now,
    leased: false,
    armed_at: null,
    sent: continued?.sent ?? [],
    handles: {},
  }
}

/** The publication in the hands of a new worker; undefined when it is final, not due yet, or somebody has it. */
export function takePublication(publication: Publication, now: Instant): Publication | undefined {
  if (isFinal(publication) || publication.act_at > now) return undefined
  const vanished = publication.leased
  const startsAttempt = publication.status === 'queued' || (vanished && publication.step !== 'armed')
  return {
    ...publication,
    status: 'publishing',
    attempts: publication.attempts + (startsAttempt ? 1 : 0),
    fence: publication.fence + 1,
    leased: true,
    act_at: plusSeconds(now, publication.step === 'armed' ? armedLeaseSeconds : unarmedLeaseSeconds),
  }
}

/** Whether so many workers vanished over it that another one must not be sent after them. */
export const isPoisonous = ({ attempts }: Publication): boolean => attempts > mostAttempts

/** The record that comes before the one call that cannot be taken back. */
export const arm = (publication: Publication, now: Instant): Publication => ({
  ...publication,
  fence: publication.fence + 1,
  step: 'armed',
  armed_at: now,
  act_at: plusSeconds(now, armedLeaseSeconds),
})

/** The same worker goes on: the lease starts anew. */
const keep = (publication: Publication, now: Instant): Publication => ({
  ...publication,
  act_at: plusSeconds(now, unarmedLeaseSeconds),
})

/**
 * The state after a step. While it is `leased`, the same worker goes on with `step`; otherwise somebody must look at
 * `act_at`, unless it is final. `random` is a number in [0, 1): it spreads the retries.
 */
export const settle = (
  publication: Publication,
  outcome: StepOutcome,
  circumstances: { now: Instant; random: number },
): Publication => ({ ...stateAfter(publication, outcome, circumstances), fence: publication.fence + 1 })

function stateAfter(
  publication: Publication,
  outcome: StepOutcome,
  { now, random }: { now: Instant; random: number },
): Publication {
  switch (outcome.kind) {
    case 'processing':
      return { ...publication, step: 'poll', leased: false, act_at: outcome.at }
    case 'sent':
      return afterSending(publication, outcome, now)
    case 'confirmed':
      return publish(publication, outcome.url, now)
    case 'retryable':
      return retry(publication, outcome, { now, random })
    case 'permanent':
    case 'reauth':
      // Once everything is out, a missing permalink is no reason to call it failed.
      if (publication.step === 'confirm') return publish(publication, null, now)
      return { ...publication, status: 'failed', leased: false, error: outcome.error }
    case 'ambiguous':
      return { ...publication, step: 'armed', leased: false, error: outcome.error, act_at: outcome.askAt }
    case 'unknown':
      return { ...publication, status: 'outcome_unknown', leased: false, error: outcome.error }
  }
}

function afterSending(
  publication: Publication,
  { part, last, complete }: Extract<StepOutcome, { kind: 'sent' }>,
  now: Instant,
): Publication {
  const [root = part] = publication.sent
  const sent: Publication = {
    ...keep(publication, now),
    step: last ? 'confirm' : 'prepare',
    armed_at: null,
    sent: [...publication.sent, part],
    handles: last ? publication.handles : {},
    error: null,
    platform_post_id: root.platform_post_id,
    url: root.url,
  }
  return last && complete ? publish(sent, null, now) : sent
}

const publish = (publication: Publication, url: string | null, now: Instant): Publication => ({
  ...publication,
  status: 'published',
  leased: false,
  error: null,
  url: url ?? publication.url,
  published_at: now,
})

function retry(
  publication: Publication,
  { error, at, restart = false }: Extract<StepOutcome, { kind: 'retryable' }>,
  { now, random }: { now: Instant; random: number },
): Publication {
  const delay = retryDelaysSeconds[publication.attempts - 1]
  if (delay === undefined || publication.attempts >= mostAttempts) {
    if (publication.step === 'confirm') return publish(publication, null, now)
    return { ...publication, status: 'failed', leased: false, error }
  }
  const spread = plusSeconds(now, delay * (1 - retrySpread + 2 * retrySpread * random))
  return {
    ...publication,
    status: 'queued',
    step: publication.step === 'confirm' ? 'confirm' : 'prepare',
    armed_at: null,
    leased: false,
    error,
    handles: restart ? {} : publication.handles,
    // The network's own hint is honoured, unless it is in the past.
    act_at: at && at > now ? at : spread,
  }
}
