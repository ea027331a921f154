/** A label classifies posts and slots. Titles need not be unique. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'

export interface Label {
  id: Id<'label'>
  title: string
  created_at: Instant
  updated_at: Instant
}
