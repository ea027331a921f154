/** A social: one connected account on a network. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import type { ProviderType } from './network.ts'

/** How a sandbox account behaves: what test cards are to a payment API. */
export const sandboxBehaviors = [
  'publish',
  'fail_once',
  'fail',
  'rate_limited_once',
  'auth_expired',
  'slow',
  'crash_after_publish',
  'crash_after_publish_blind',
  'metrics_unsupported',
  'metrics_unavailable',
  'metrics_timeout',
  'metrics_stale',
] as const
export type SandboxBehavior = (typeof sandboxBehaviors)[number]

/** `pending`: connecting is not finished. `removed`: disconnected; kept for what it published. */
export type SocialStatus = 'active' | 'pending' | 'needs_reconnect' | 'removed'

export interface Social {
  id: Id<'social'>
  provider_type: ProviderType
  display_name: string
  username: string | null
  avatar_url: string | null
  status: SocialStatus
  sandbox: boolean
  sandbox_behavior: SandboxBehavior
  /** Sealed by the cipher, for this account alone; null when it has none. */
  credentials: Uint8Array | null
  created_at: Instant
  updated_at: Instant
}

/** Whether callers of the public API see it, and posts may name it. */
export const isVisible = ({ status }: Pick<Social, 'status'>): boolean =>
  status === 'active' || status === 'needs_reconnect'
