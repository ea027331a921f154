/** The built-in sandbox network: what test cards are to a payment API. Each account's behaviour picks the outcome. */
import { createHash } from 'node:crypto'
import type { Id } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import type { SentPart } from '#shared/domain/publication.ts'
import type { SandboxBehavior } from '#shared/domain/social.ts'
import type { Preparation, Provider, PublishJob, PublishMedia } from './provider.ts'
import { ProviderProblem } from './provider.ts'

export interface SandboxMedia {
  id: Id<'media'>
  content_type: string
  size: number
  /** SHA-256 of the bytes that the network received, in hex. */
  sha256: string
}

/** A reply, as the sandbox network shows it. */
export interface SandboxReply {
  platform_post_id: string
  text: string
  media: SandboxMedia[]
  published_at: Instant
}

/** A post, as the sandbox network shows it. */
export interface SandboxPost extends SandboxReply {
  url: string
  replies: SandboxReply[]
}

/**
 * Where the sandbox network keeps what it accepted. It takes everything that it is sent, the same thing twice too:
 * a duplicate publication must show.
 */
export interface SandboxNetwork {
  accept(
    social: Id<'social'>,
    post: Omit<SandboxPost, 'platform_post_id' | 'url'> & { marker: string },
  ): Promise<SentPart>
  acceptReply(
    social: Id<'social'>,
    root: string,
    reply: Omit<SandboxReply, 'platform_post_id'> & { marker: string; position: number },
  ): Promise<SentPart>
  /** What was accepted with this marker, if anything. */
  find(social: Id<'social'>, marker: string): Promise<SentPart | undefined>
}

const slowSeconds = 3
const rateLimitSeconds = 2

/** What happens before the network would accept anything. */
const refusals: Partial<Record<SandboxBehavior, (job: PublishJob) => ProviderProblem | undefined>> = {
  fail: () => new ProviderProblem('permanent', 'SANDBOX_REFUSED', 'The sandbox network refused the post'),
  fail_once: ({ attempt }) =>
    attempt === 1
      ? new ProviderProblem('retryable', 'SANDBOX_UNAVAILABLE', 'The sandbox network was unavailable')
      : undefined,
  rate_limited_once: ({ attempt, now }) =>
    attempt === 1
      ? new ProviderProblem('retryable', 'RATE_LIMITED', 'The sandbox network asked to come back later', {
          retryAt: plusSeconds(now, rateLimitSeconds),
        })
      : undefined,
  auth_expired: () => new ProviderProblem('reauth', 'AUTH_EXPIRED', 'The account must be connected again'),
}

export function sandbox(network: SandboxNetwork): Provider {
  return {
    async prepare(job): Promise<Preparation> {
      const refusal = job.part === 0 ? refusals[job.account.sandboxBehavior]?.(job) : undefined
      if (refusal) throw refusal
      if (job.account.sandboxBehavior !== 'slow' || job.part > 0) return { kind: 'ready' }
      return readyFrom(job, await containerOf(job))
    },

    async poll(job) {
      return readyFrom(job, await containerOf(job))
    },

    async publish(job) {
      const accepted = await accept(network, job)
      const behavior = job.account.sandboxBehavior
      if (behavior === 'crash_after_publish' || behavior === 'crash_after_publish_blind') {
        throw new ProviderProblem('ambiguous', 'NO_ANSWER', 'The answer of the sandbox network never arrived')
      }
      return accepted
    },

    async findLanded(job) {
      if (job.account.sandboxBehavior === 'crash_after_publish_blind') return { kind: 'unknown' }
      const part = await network.find(job.account.id, job.marker)
      return part ? { kind: 'landed', part } : { kind: 'absent' }
    },
  }
}

/** A container that the network works on for about three seconds: when it will be ready. */
async function containerOf({ handles, now, record }: PublishJob): Promise<Instant> {
  const known = handles['ready_at'] as Instant | undefined
  if (known) return known
  const readyAt = plusSeconds(now, slowSeconds)
  await record({ ready_at: readyAt })
  return readyAt
}

const readyFrom = ({ now }: PublishJob, readyAt: Instant): Preparation =>
  readyAt <= now ? { kind: 'ready' } : { kind: 'processing', at: readyAt }

async function accept(network: SandboxNetwork, job: PublishJob): Promise<SentPart> {
  const { account, text, marker, now } = job
  const content = { text, media: await Promise.all(job.media.map(receive)), published_at: now, marker }
  const [root] = job.sent
  return root
    ? network.acceptReply(account.id, root.platform_post_id, { ...content, position: job.part })
    : network.accept(account.id, { ...content, replies: [] })
}

/** Takes in the bytes as a real network would, in a stream. */
async function receive({ id, contentType, read }: PublishMedia): Promise<SandboxMedia> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of await read()) {
    hash.update(chunk)
    size += chunk.length
  }
  return { id, content_type: contentType, size, sha256: hash.digest('hex') }
}
