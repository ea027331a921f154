import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds, secondsBetween } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Publication, SentPart } from '#shared/domain/publication.ts'
import type { StepOutcome } from '#shared/domain/publication-steps.ts'
import { watchedUntil } from '#shared/domain/wake.ts'
import type { Provider, PublishJob } from '#shared/providers/provider.ts'
import { ProviderProblem } from '#shared/providers/provider.ts'
import type { Services } from '#shared/services.ts'
import { openJob, partsOf } from './open-job.ts'

/** How long the network gets to show what it accepted, before it is asked. */
const settlingSeconds = 5
/** A look-up that fails is repeated that much later, and for so long. */
const askAgainSeconds = 60
const longestDoubtSeconds = 3_600

/** What a step came to: `ready` only means that the part can be armed now. */
export type Step = StepOutcome | { kind: 'ready' }

/** Does the publication's present step on its network, and says how it ended. Handles are those recorded by then. */
export async function takeStep(
  publication: Publication,
  post: Post,
  services: Services,
): Promise<{ outcome: Step; handles: Publication['handles'] }> {
  let handles = publication.handles
  let mayLand = false
  try {
    const { provider, job } = await openJob(publication, post, { services, record })
    mayLand = publication.step === 'armed'
    const outcome = await call(publication, { provider, job, parts: partsOf(post, publication).length })
    return { outcome, handles }
  } catch (problem) {
    return { outcome: outcomeOf(problem, { mayLand, now: services.clock.now() }), handles }
  }

  async function record(recorded: Publication['handles']): Promise<void> {
    handles = { ...handles, ...recorded }
    // The fence is checked: whoever lost the publication learns it before it builds anything on the handles.
    const saved = await services.publications.save({ ...publication, handles }, publication.fence, {
      wakeAt: watchedUntil(publication.act_at),
    })
    if (!saved) throw new ProviderProblem('retryable', 'OVERTAKEN', 'Another worker has taken over')
  }
}

async function call(
  publication: Publication,
  { provider, job, parts }: { provider: Provider; job: PublishJob; parts: number },
): Promise<Step> {
  switch (publication.step) {
    case 'prepare':
      return provider.prepare(job)
    case 'poll':
      return provider.poll(job)
    case 'armed':
      return sentPart(await provider.publish(job), publication, { provider, parts })
    case 'confirm':
      return { kind: 'confirmed', url: (await provider.confirm?.(job))?.url ?? null }
  }
}

const sentPart = (
  part: SentPart,
  { sent }: Publication,
  { provider, parts }: { provider: Provider; parts: number },
): StepOutcome => ({ kind: 'sent', part, last: sent.length + 1 === parts, complete: !provider.confirm })

/** Asks the network whether an armed part landed, after its answer was lost. */
export async function lookForIt(
  publication: Publication,
  post: Post,
  services: Services,
): Promise<StepOutcome> {
  const error = publication.error ?? { code: 'NO_ANSWER', message: 'The network’s answer never arrived' }
  try {
    const { provider, job } = await openJob(publication, post, { services, record: async () => {} })
    const landing = (await provider.findLanded?.(job)) ?? { kind: 'unknown' }
    if (landing.kind === 'unknown') return { kind: 'unknown', error }
    if (landing.kind === 'absent') return { kind: 'retryable', error }
    return sentPart(landing.part, publication, { provider, parts: partsOf(post, publication).length })
  } catch (problem) {
    const now = services.clock.now()
    const refused = problem instanceof ProviderProblem && ['permanent', 'reauth'].includes(problem.kind)
    if (refused || secondsBetween(publication.armed_at ?? now, now) > longestDoubtSeconds) {
      return { kind: 'unknown', error }
    }
    // The look-up itself failed: it has no effect, so it is repeated.
    return { kind: 'ambiguous', error, askAt: plusSeconds(now, askAgainSeconds) }
  }
}

/** A problem in the engine's words. Only the call of an armed part may have had an effect, whatever the problem is called. */
function outcomeOf(problem: unknown, { mayLand, now }: { mayLand: boolean; now: Instant }): StepOutcome {
  const known = problem instanceof ProviderProblem ? problem : undefined
  const error = {
    code: known?.code ?? 'NETWORK_ERROR',
    message: known?.message ?? 'The network could not be reached',
  }
  const kind = known?.kind ?? 'ambiguous'
  if (kind === 'permanent' || kind === 'reauth') return { kind, error }
  return kind === 'ambiguous' && mayLand
    ? { kind, error, askAt: plusSeconds(now, settlingSeconds) }
    : { kind: 'retryable', error, at: known?.retryAt, restart: known?.restart }
}
