import { plusSeconds } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Publication, SentPart, StepOutcome } from '#shared/domain/publication.ts'
import { watchedUntil } from '#shared/domain/wake.ts'
import type { Provider, PublishJob } from '#shared/providers/provider.ts'
import { ProviderProblem } from '#shared/providers/provider.ts'
import type { Services } from '#shared/services.ts'
import { openJob, partsOf } from './open-job.ts'

/** How long the network gets to show what it accepted, before it is asked. */
const settlingSeconds = 5

/** What a step came to: `ready` only means that the part can be armed now. */
export type Step = StepOutcome | { kind: 'ready' }

/** Does the publication's present step on its network, and says how it ended. Handles are those recorded by then. */
export async function takeStep(
  publication: Publication,
  post: Post,
  services: Services,
): Promise<{ outcome: Step; handles: Publication['handles'] }> {
  let handles = publication.handles
  const outcome = await translated(publication, services, async () => {
    const { provider, job } = await openJob(publication, post, {
      services,
      record: async (recorded) => {
        handles = { ...handles, ...recorded }
        // The fence is checked: whoever lost the publication learns it before it builds anything on the handles.
        const saved = await services.publications.save({ ...publication, handles }, publication.fence, {
          wakeAt: watchedUntil(publication.act_at),
        })
        if (!saved) throw new ProviderProblem('retryable', 'OVERTAKEN', 'Another worker has taken over')
      },
    })
    return call(publication, { provider, job, parts: partsOf(post, publication).length })
  })
  return { outcome, handles }
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
    // The look-up itself failed: it has no effect, so it is repeated.
    if (problem instanceof ProviderProblem && problem.kind !== 'retryable') return { kind: 'unknown', error }
    return { kind: 'ambiguous', error, askAt: plusSeconds(services.clock.now(), 12 * settlingSeconds) }
  }
}

/** The answer of the work, or its problem in the engine's words. What nobody foresaw may have had an effect once armed. */
async function translated(
  { step }: Publication,
  { clock }: Services,
  work: () => Promise<Step>,
): Promise<Step> {
  try {
    return await work()
  } catch (problem) {
    const known = problem instanceof ProviderProblem ? problem : undefined
    const kind = known?.kind ?? (step === 'armed' ? 'ambiguous' : 'retryable')
    const error = {
      code: known?.code ?? 'NETWORK_ERROR',
      message: known?.message ?? 'The network could not be reached',
    }
    if (kind === 'ambiguous') return { kind, error, askAt: plusSeconds(clock.now(), settlingSeconds) }
    if (kind === 'retryable') return { kind, error, at: known?.retryAt, restart: known?.restart }
    return { kind, error }
  }
}
