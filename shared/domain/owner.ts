/** An owner: a user or a workspace. Everything else belongs to exactly one. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'

export interface OwnerSettings {
  /** IANA time zone for slots that name none. */
  timezone: string
  /** Assigned posts go out at the occurrence's start, rather than at a random instant inside it. */
  exact_slot_times: boolean
  /** Posts wait for approval before they are scheduled. */
  requires_approval: boolean
}

export interface Owner {
  id: Id<'owner'>
  type: 'user' | 'workspace'
  name: string
  settings: OwnerSettings
  created_at: Instant
  updated_at: Instant
}

export const defaultSettings: OwnerSettings = {
  timezone: 'UTC',
  exact_slot_times: false,
  requires_approval: false,
}
