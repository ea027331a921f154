/** A publication: one post on one account, and how far it is. How it moves, `publication-steps.ts` says. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import type { ProviderType } from './network.ts'

export type PublicationStatus = 'queued' | 'publishing' | 'published' | 'failed' | 'outcome_unknown'

export interface PublicationError {
  code: string
  message: string
}

/** What callers see of a publication, on its post. */
export interface PublicationSummary {
  publication_id: Id<'publication'>
  social_provider_id: Id<'social'>
  provider_type: ProviderType
  status: PublicationStatus
  platform_post_id: string | null
  url: string | null
  error: PublicationError | null
  attempts: number
  published_at: Instant | null
}

/** One part that the network accepted: the post itself first, then each reply. */
export interface SentPart {
  platform_post_id: string
  url: string | null
}

export interface Publication extends PublicationSummary {
  post_id: Id<'post'>
  round: number
  /**
   * Counts the takers and the steps: a write is refused unless it builds on the latest state. So nobody who read it
   * before it was armed, or before a part was sent, can take it as it was then.
   */
  fence: number
  step: 'prepare' | 'poll' | 'armed' | 'confirm'
  /** When it is to be looked at next; while a worker has it, when its lease ends. */
  act_at: Instant
  leased: boolean
  /** When the part at hand was armed; null while it is not. */
  armed_at: Instant | null
  /** Parts that are out already; the next one to send has this array's length as its index. */
  sent: SentPart[]
  /** What the network gave us for the part at hand: upload and container IDs, session URLs. */
  handles: Record<string, string>
}

/** Whether it is settled: nothing happens to it by itself any more. */
export const isFinal = ({ status }: Pick<PublicationSummary, 'status'>): boolean =>
  status === 'published' || status === 'failed' || status === 'outcome_unknown'

/** What callers see of it. */
export const summarise = (publication: Publication): PublicationSummary => ({
  publication_id: publication.publication_id,
  social_provider_id: publication.social_provider_id,
  provider_type: publication.provider_type,
  status: publication.status,
  platform_post_id: publication.platform_post_id,
  url: publication.url,
  error: publication.error,
  attempts: publication.attempts,
  published_at: publication.published_at,
})
