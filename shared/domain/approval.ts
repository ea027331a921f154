/** What the application decides on a post that waits for approval. Pure. */
import type { Instant } from './instant.ts'
import type { Post } from './post.ts'
import { conflict } from './problem.ts'

/** Scheduled for its time; at once, when that has passed. 409 when the post does not wait for approval. */
export function approvePost(post: Post, now: Instant): Post {
  requirePending(post)
  const inTime = post.scheduled_at !== null && post.scheduled_at > now
  return {
    ...post,
    status: 'scheduled',
    scheduled_at: inTime ? post.scheduled_at : now,
    approval: { status: 'approved', reason: null, decided_at: now },
    updated_at: now,
  }
}

/** A draft again, out of its slot. 409 when the post does not wait for approval. */
export function rejectPost(post: Post, reason: string | null, now: Instant): Post {
  requirePending(post)
  return {
    ...post,
    status: 'draft',
    scheduled_at: null,
    slot_id: null,
    slot_date: null,
    approval: { status: 'rejected', reason, decided_at: now },
    updated_at: now,
  }
}

function requirePending({ status }: Post): void {
  if (status !== 'pending_approval') throw conflict('POST_NOT_PENDING', 'Post is not pending approval')
}
