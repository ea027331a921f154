/**
 * The contract between the publishing engine and a network.
 *
 * A publication goes out in parts: the post, then each reply. For each part the engine calls `prepare`, then `poll`
 * while the network is at work, records durably that the part is armed, calls `publish` once, and records what
 * came of it; after the last part it calls `confirm`. A provider never retries, sleeps or schedules: it does one
 * step and says how it ended. It says so by its answer, or by throwing a `ProviderProblem`; anything else that it
 * throws counts as `retryable` before the part is armed, and as `ambiguous` after.
 */
import type { Id } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { ProviderType } from '#shared/domain/network.ts'
import type { AccountReference, MediaType, PostFields, PublishType } from '#shared/domain/post.ts'
import type { SentPart } from '#shared/domain/publication.ts'
import type { SandboxBehavior } from '#shared/domain/social.ts'

/** One media item of the part, for networks that take bytes and for those that fetch a URL. */
export interface PublishMedia {
  id: Id<'media'>
  type: MediaType
  contentType: string
  size: number
  /** The bytes from an offset on: never the whole file in memory. */
  read(from?: number, to?: number): Promise<AsyncIterable<Uint8Array>>
  /** An https URL that the network can fetch for two hours, without cookies and without redirects. */
  publicUrl(): Promise<string>
}

/** The account to publish on, with its credentials open. */
export interface PublishAccount {
  id: Id<'social'>
  type: ProviderType
  username: string | null
  boardId: AccountReference['board_id']
  credentials: Record<string, unknown>
  sandboxBehavior: SandboxBehavior
}

/** One part of a publication, and everything that is known about it. */
export interface PublishJob {
  account: PublishAccount
  publishType: PublishType
  /** 0 is the post itself, 1 … its replies. */
  part: number
  /** The part's own text and media. */
  text: string
  media: PublishMedia[]
  thumbnail: PublishMedia | null
  /** The post's platform-specific fields. */
  fields: Pick<
    PostFields,
    | 'title'
    | 'link'
    | 'terms_and_conditions'
    | 'coupon_code'
    | 'start_date'
    | 'end_date'
    | 'cta'
    | 'topic_type'
    | 'privacy_status'
    | 'allow_comments'
    | 'allow_duet'
    | 'allow_stitch'
  >
  /** What is out already: the post, and earlier replies. */
  sent: SentPart[]
  /** The same for every try of this part in this round, and for no other: an idempotency key, or a source for one. */
  marker: string
  /** 1 for the first try. */
  attempt: number
  now: Instant
  /** When the part was due: the same at every try, for records that must not change between them. */
  dueAt: Instant
  /** IDs and URLs that earlier steps of this part recorded. */
  handles: Readonly<Record<string, string>>
  /** Makes handles durable at once, before anything is built on them. */
  record(handles: Record<string, string>): Promise<void>
  /** Aborts when the step has taken too long. */
  signal: AbortSignal
}

export type Preparation = { kind: 'ready' } | { kind: 'processing'; at: Instant }

/**
 * What a look-up of a part whose outcome is unknown found. After `absent` the part is sent again: answer it only when
 * it is certain that the part did not land and will not; in any doubt it is `unknown`, and a person decides.
 */
export type Landing = { kind: 'landed'; part: SentPart } | { kind: 'absent' } | { kind: 'unknown' }

/** Numbers only; names vary by network. */
export type Metrics = Record<string, number>

/** What metrics are asked for, and with which credentials. */
export interface MetricsJob {
  account: PublishAccount
  platformPostId: string
  publishedAt: Instant
  now: Instant
  signal: AbortSignal
}
export interface MetricsAnswer {
  metrics: Metrics
  collectedAt: Instant
}

export interface Provider {
  /** Uploads and containers. Nothing that others see; safe to repeat with the handles recorded so far. */
  prepare(job: PublishJob): Promise<Preparation>
  /** One read-only look at what `prepare` started. */
  poll(job: PublishJob): Promise<Preparation>
  /** The one call with a visible effect. Called at most once for an arming. */
  publish(job: PublishJob): Promise<SentPart>
  /** Reads the permalink where `publish` did not give it. Read-only. */
  confirm?(job: PublishJob): Promise<{ url: string | null }>
  /** Did it land? Absent where the network has no way to tell. */
  findLanded?(job: PublishJob): Promise<Landing>
  /** Absent where the network has none. */
  postMetrics?(job: MetricsJob): Promise<MetricsAnswer>
  accountMetrics?(job: Omit<MetricsJob, 'platformPostId' | 'publishedAt'>): Promise<MetricsAnswer>
}

/**
 * How a step failed:
 * retryable: certain to have had no effect · ambiguous: may have been accepted ·
 * permanent: trying again cannot help · reauth: the account must be connected again.
 */
export type ProblemKind = 'retryable' | 'ambiguous' | 'permanent' | 'reauth'

/** A network's refusal in our terms. The message is shown to the caller: no tokens, no bodies. */
export class ProviderProblem extends Error {
  readonly kind: ProblemKind
  /** Stable, SNAKE_CASE: ours, or the network's own code. */
  readonly code: string
  /** Not before this instant: `Retry-After`, a quota window. */
  readonly retryAt: Instant | undefined
  /** What was prepared is of no use any more: start the part from scratch. */
  readonly restart: boolean

  constructor(
    kind: ProblemKind,
    code: string,
    message: string,
    { retryAt, restart = false }: { retryAt?: Instant; restart?: boolean } = {},
  ) {
    super(message)
    this.name = 'ProviderProblem'
    this.kind = kind
    this.code = code
    this.retryAt = retryAt
    this.restart = restart
  }
}
