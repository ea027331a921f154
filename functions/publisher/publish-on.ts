import { isDeepStrictEqual } from 'node:util'
import type { Id } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Publication } from '#shared/domain/publication.ts'
import { isFinal, summarise } from '#shared/domain/publication.ts'
import type { StepOutcome } from '#shared/domain/publication-steps.ts'
import { arm, isPoisonous, settle, takePublication } from '#shared/domain/publication-steps.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import { isMissed, missed, recordPublication } from '#shared/domain/publishing.ts'
import { isEarly, wakeUp, watchedUntil } from '#shared/domain/wake.ts'
import type { Services } from '#shared/services.ts'
import type { Attempt } from '#shared/store/publication-store.ts'
import { partsOf } from './open-job.ts'
import { lookForIt, takeStep } from './take-step.ts'

/**
 * After that, a worker begins no other part: even one that is slow at every call must be done before its function's
 * time is up, because an armed part whose worker is cut off may be lost track of.
 */
const visitSeconds = 20
/** How long a network may take over what it was given. */
const longestProcessingSeconds = 24 * 3_600

type Job = Extract<PublishJob, { kind: 'publication' }>

/**
 * Brings one publication as far as it goes now: takes it with a new fence, does step after step, records each outcome
 * before the next, and leaves the rest to a later visit. Every write is refused once somebody else holds the fence.
 */
export async function publishOn(job: Job, services: Services): Promise<void> {
  const { publications, posts, clock } = services
  const now = clock.now()
  const found = await publications.find(job.post, job.social)
  if (!found || isFinal(found)) return
  const taken = takePublication(found, now)
  if (!taken) {
    if (isEarly(found.act_at, now, job.hops))
      await services.sendPublishJob({ ...job, hops: job.hops + 1 }, found.act_at)
    return
  }
  if (!(await publications.save(taken, found.fence, { wakeAt: watchedUntil(taken.act_at) }))) return
  const post = await posts.find(job.post)
  // A post that is being published can neither be changed nor deleted.
  if (!post) throw new Error('A publication has lost its post')

  let held: Publication | undefined = taken
  const visiting = {
    hops: job.hops,
    began: now,
    until: plusSeconds(now, visitSeconds),
    missed: isMissed(found, now),
    services,
  }
  while (held?.leased && !isFinal(held)) held = await visit(held, post, visiting)
}

interface Visit {
  hops: number
  began: Instant
  /** Then the rest is left to another visit. */
  until: Instant
  /** Nobody came for so long that it must not go out any more. */
  missed: boolean
  services: Services
}

/** One step and its record; undefined when the fence was lost. */
async function visit(held: Publication, post: Post, visiting: Visit): Promise<Publication | undefined> {
  const { clock, random } = visiting.services
  const { publication, outcome } = await nextStep(held, post, visiting)
  if (!publication) return undefined
  const now = clock.now()
  const settled = settle(publication, outcome, { now, random: random.fraction() })
  if (outcome.kind === 'reauth') await markForReconnecting(publication.social_provider_id, visiting)
  const next = settled.leased && now > visiting.until ? { ...settled, leased: false, act_at: now } : settled
  return record(next, publication, { ...visiting, outcome })
}

/** Does the step that is due. Arming is a write of its own: without it, nothing irreversible is called. */
async function nextStep(
  held: Publication,
  post: Post,
  { missed: isLate, services }: Visit,
): Promise<{ publication: Publication | undefined; outcome: StepOutcome }> {
  if (isPoisonous(held)) return { publication: held, outcome: vanished }
  if (isLate) return { publication: held, outcome: { kind: 'permanent', error: missed } }
  // Replies that are still to be sent were taken off the post after an earlier round had failed.
  if (held.step === 'prepare' && held.sent.length >= partsOf(post, held).length)
    return { publication: held, outcome: { kind: 'confirmed', url: null } }
  if (held.step === 'armed') return { publication: held, outcome: await lookForIt(held, post, services) }
  const { outcome, handles } = await takeStep(held, post, services)
  const publication = { ...held, handles }
  if (outcome.kind === 'processing' && isStuck(post, services)) return { publication, outcome: stuck }
  if (outcome.kind !== 'ready') return { publication, outcome }

  const armed = arm(publication, services.clock.now())
  const saved = await services.publications.save(armed, held.fence, {
    wakeAt: watchedUntil(armed.act_at),
    attempt: attemptOf(armed, {}),
  })
  if (!saved) return { publication: undefined, outcome: overtaken }
  const sending = await takeStep(armed, post, services)
  if (sending.outcome.kind === 'ready') throw new Error('An armed part cannot be ready again')
  return { publication: { ...armed, handles: sending.handles }, outcome: sending.outcome }
}

const overtaken: StepOutcome = {
  kind: 'retryable',
  error: { code: 'OVERTAKEN', message: 'Another worker has taken over' },
}

const vanished: StepOutcome = {
  kind: 'permanent',
  error: { code: 'PUBLISHER_CRASHED', message: 'Publishing was interrupted again and again' },
}

const stuck: StepOutcome = {
  kind: 'permanent',
  error: { code: 'PROCESSING_TIMED_OUT', message: 'The network did not finish processing within a day' },
}

const isStuck = ({ scheduled_at }: Post, { clock }: Services): boolean =>
  scheduled_at !== null && plusSeconds(scheduled_at, longestProcessingSeconds) < clock.now()

/** Records the outcome: on the publication, on its post when callers are to see it, and in the attempt. */
async function record(
  next: Publication,
  publication: Publication,
  { outcome, hops, services }: Visit & { outcome: StepOutcome },
): Promise<Publication | undefined> {
  const { publications, posts, clock, sendPublishJob } = services
  const now = clock.now()
  const wake = next.leased
    ? { wakeAt: watchedUntil(next.act_at), send: false }
    : wakeUp(next.act_at, now, hops + 1)
  const change = {
    wakeAt: wake.wakeAt,
    attempt: attemptOf(publication, { ended_at: now, outcome: outcome.kind, error: next.error }),
  }
  for (;;) {
    const before = await posts.find(publication.post_id)
    if (!before) throw new Error('A publication has lost its post')
    const result = await (isShown(next, before)
      ? publications.save(next, publication.fence, change).then((saved) => (saved ? 'saved' : 'lost'))
      : publications.saveWithPost(next, publication.fence, {
          ...change,
          before,
          post: recordPublication(before, next, now),
        }))
    if (result === 'lost') return undefined
    if (result === 'saved') break
  }
  if (wake.send && !isFinal(next)) {
    const { post_id: post, social_provider_id: social } = next
    await sendPublishJob({ kind: 'publication', post, social, hops: hops + 1 }, next.act_at)
  }
  return next
}

/** Whether the post says already what callers are to see of the publication. */
const isShown = (publication: Publication, post: Post): boolean =>
  post.publications.some((summary) => isDeepStrictEqual(summary, summarise(publication)))

const attemptOf = ({ sent, armed_at }: Publication, change: Partial<Attempt>): Attempt => ({
  part: sent.length,
  armed_at,
  ended_at: null,
  outcome: null,
  error: null,
  ...change,
})

/** The account's authorisation is gone: its owner must connect it again. */
async function markForReconnecting(id: Id<'social'>, { began, services }: Visit): Promise<void> {
  const { socials, clock } = services
  if (!(await socials.find(id))) return
  const needs = { status: 'needs_reconnect', updated_at: clock.now() } as const
  // Connected again since this visit began: what it saw is of the past.
  await socials.change(id, (social) => (social.updated_at > began ? social : { ...social, ...needs }))
}
