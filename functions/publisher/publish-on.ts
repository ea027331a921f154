import { isDeepStrictEqual } from 'node:util'
import type { Id } from '#shared/domain/id.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Publication, StepOutcome } from '#shared/domain/publication.ts'
import { arm, isFinal, isPoisonous, settle, summarise, takePublication } from '#shared/domain/publication.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import { recordPublication } from '#shared/domain/publishing.ts'
import { wakeUp, watchedUntil } from '#shared/domain/wake.ts'
import type { Services } from '#shared/services.ts'
import type { Attempt } from '#shared/store/publication-store.ts'
import { lookForIt, takeStep } from './take-step.ts'

type Job = Extract<PublishJob, { kind: 'publication' }>

/**
 * Brings one publication as far as it goes now: takes it with a new fence, does step after step, records each outcome
 * before the next, and leaves the rest to a later visit. Every write is refused once somebody else holds the fence.
 */
export async function publishOn(job: Job, services: Services): Promise<void> {
  const { publications, posts, clock } = services
  const found = await publications.find(job.post, job.social)
  const taken = found && takePublication(found, clock.now())
  if (!found || !taken) return
  if (!(await publications.save(taken, found.fence, { wakeAt: watchedUntil(taken.act_at) }))) return
  const post = await posts.find(job.post)
  // A post that is being published can neither be changed nor deleted.
  if (!post) throw new Error('A publication has lost its post')

  let held: Publication | undefined = taken
  while (held?.leased && !isFinal(held)) held = await visit(held, post, { hops: job.hops, services })
}

interface Visit {
  hops: number
  services: Services
}

/** One step and its record; undefined when the fence was lost. */
async function visit(
  held: Publication,
  post: Post,
  { hops, services }: Visit,
): Promise<Publication | undefined> {
  const { clock, random } = services
  const { publication, outcome } = await nextStep(held, post, services)
  if (!publication) return undefined
  const next = settle(publication, outcome, { now: clock.now(), random: random.fraction() })
  if (outcome.kind === 'reauth') await markForReconnecting(publication.social_provider_id, services)
  return record(next, publication, { outcome, hops, services })
}

/** Does the step that is due. Arming is a write of its own: without it, nothing irreversible is called. */
async function nextStep(
  held: Publication,
  post: Post,
  services: Services,
): Promise<{ publication: Publication | undefined; outcome: StepOutcome }> {
  if (isPoisonous(held)) return { publication: held, outcome: vanished }
  if (held.step === 'armed') return { publication: held, outcome: await lookForIt(held, post, services) }
  const { outcome, handles } = await takeStep(held, post, services)
  const publication = { ...held, handles }
  if (outcome.kind !== 'ready') return { publication, outcome }

  const armed = arm(publication, services.clock.now())
  const saved = await services.publications.save(armed, held.fence, {
    wakeAt: watchedUntil(armed.act_at),
    attempt: attemptOf(armed, {}),
  })
  if (!saved) return { publication: undefined, outcome: overtaken }
  const sending = await takeStep(armed, post, services)
  if (sending.outcome.kind === 'ready') throw new Error('An armed part cannot be ready again')
  return { publication: armed, outcome: sending.outcome }
}

const overtaken: StepOutcome = {
  kind: 'retryable',
  error: { code: 'OVERTAKEN', message: 'Another worker has taken over' },
}

const vanished: StepOutcome = {
  kind: 'permanent',
  error: { code: 'PUBLISHER_CRASHED', message: 'Publishing was interrupted again and again' },
}

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
async function markForReconnecting(id: Id<'social'>, { socials, clock }: Services): Promise<void> {
  if (!(await socials.find(id))) return
  await socials.change(id, (social) => ({ ...social, status: 'needs_reconnect', updated_at: clock.now() }))
}
