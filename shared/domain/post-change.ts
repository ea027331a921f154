/** How a post comes to be and how a caller changes it: the contract's state table, decided in one place. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import type { ProviderType } from './network.ts'
import { networkErrors } from './network-limits.ts'
import type { Approval, MediaType, Post, PostFields, PostStatus } from './post.ts'
import { emptyFields, mediaOf } from './post.ts'
import type { PostInput } from './post-input.ts'
import { contentErrors } from './post-rules.ts'
import type { FieldError, Problem } from './problem.ts'
import { badRequest, conflict, invalid } from './problem.ts'

/** What the decision needs to know beside the request. */
export interface Circumstances {
  now: Instant
  requiresApproval: boolean
  /** Of the accounts and media that the request names. */
  providerTypes: Record<string, ProviderType>
  mediaTypes: Record<string, MediaType>
}

/** All text of one post together, in UTF-8. */
const mostTextBytes = 300 * 1024
/** DynamoDB takes 400 KB in an item: this leaves room for what publishing adds. */
const mostBytes = 360 * 1024

const notRequired: Approval = { status: 'not_required', reason: null, decided_at: null }
const pending: Approval = { status: 'pending', reason: null, decided_at: null }

/** The post that the input asks for; refuses with every field that breaks a rule. */
export function createPost(id: Id<'post'>, input: PostInput, circumstances: Circumstances): Post {
  const { now } = circumstances
  const blank: Post = {
    ...emptyFields,
    id,
    status: 'draft',
    slot_id: null,
    slot_date: null,
    approval: notRequired,
    created_at: now,
    updated_at: now,
    published_at: null,
    publications: [],
    provider_types: {},
    media_types: {},
    round: 0,
    republish: false,
    version: 0,
  }
  return changePost(blank, input, circumstances)
}

/**
 * The post after a PATCH: merged first, then checked whole. Values equal to the stored ones count as not sent, so a
 * fetched post can be sent back. 409 while it is being published.
 */
export function changePost(before: Post, input: PostInput, circumstances: Circumstances): Post {
  if (before.status === 'publishing') throw postIsBeingPublished()
  const { status: sentStatus, ...fields } = input
  const wanted = sentStatus === before.status ? undefined : parseStatus(sentStatus)
  const merged = mergeFields(before, fields, circumstances)
  const status = statusAfter(before, {
    wanted,
    merged,
    fields,
    requiresApproval: circumstances.requiresApproval,
  })

  const errors = [
    ...contentErrors(merged),
    ...scheduleErrors(before, { status, wanted, sentStatus, merged, fields, now: circumstances.now }),
  ]
  if (isQueued(status) && errors.length === 0) errors.push(...networkErrors(merged))
  throwIfAny(errors)
  if (isTooLarge(merged)) throw badRequest('POST_TOO_LARGE', 'Post is too large')

  return enterStatus(before, merged, status, circumstances.now)
}

/** 409: neither a change nor a deletion can reach it any more. */
export const postIsBeingPublished = (): Problem =>
  conflict('POST_IS_BEING_PUBLISHED', 'Post is being published')

function parseStatus(status: string | undefined): 'draft' | 'scheduled' | undefined {
  if (status === undefined || status === 'draft' || status === 'scheduled') return status
  throw invalid([{ field: 'status', message: 'status must be one of: draft, scheduled' }])
}

function mergeFields(before: Post, fields: Omit<PostInput, 'status'>, circumstances: Circumstances): Post {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const merged: Post = { ...before, ...(sent as Partial<PostFields>) }
  const accountIds = merged.accounts.map(({ id }) => id)
  return {
    ...merged,
    provider_types: only(accountIds, { ...before.provider_types, ...circumstances.providerTypes }),
    media_types: only(mediaOf(merged), { ...before.media_types, ...circumstances.mediaTypes }),
  }
}

const only = <Value>(ids: string[], types: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(types).filter(([id]) => ids.includes(id)))

interface Change {
  wanted: 'draft' | 'scheduled' | undefined
  merged: Post
  fields: Omit<PostInput, 'status'>
  requiresApproval: boolean
}

function statusAfter(before: Post, { wanted, merged, fields, requiresApproval }: Change): PostStatus {
  if (wanted === 'draft') return 'draft'
  if (wanted === 'scheduled') return requiresApproval ? 'pending_approval' : 'scheduled'
  if (isQueued(before.status) && fields.scheduled_at === null) return 'draft'
  // Nothing goes out that nobody approved.
  if (before.status === 'scheduled' && requiresApproval && changesContent(before, merged))
    return 'pending_approval'
  return before.status
}

/** Anything but labels and notes. */
const changesContent = (before: Post, after: Post): boolean =>
  (Object.keys(emptyFields) as (keyof PostFields)[]).some(
    (field) => field !== 'labels' && field !== 'notes' && !isDeepStrictEqual(before[field], after[field]),
  )

/** Rules 9 and 10. */
function scheduleErrors(
  before: Post,
  change: {
    status: PostStatus
    wanted: 'draft' | 'scheduled' | undefined
    sentStatus: string | undefined
    merged: Post
    fields: Omit<PostInput, 'status'>
    now: Instant
  },
): FieldError[] {
  const { status, wanted, sentStatus, merged, fields, now } = change
  const moves = merged.scheduled_at !== before.scheduled_at
  if (sentStatus === 'scheduled' && fields.scheduled_at === null) return [scheduleRequired('scheduled_at')]
  if (!isQueued(status)) {
    return moves && fields.scheduled_at
      ? [{ field: 'scheduled_at', message: 'scheduled_at is only allowed when status is scheduled' }]
      : []
  }
  const errors: FieldError[] = []
  if (merged.accounts.length === 0) errors.push(scheduleRequired('accounts'))
  if (merged.scheduled_at === null) errors.push(scheduleRequired('scheduled_at'))
  else if ((moves || wanted === 'scheduled') && merged.scheduled_at <= now) {
    errors.push({ field: 'scheduled_at', message: 'scheduled_at must be in the future' })
  }
  return errors
}

const scheduleRequired = (field: string): FieldError => ({
  field,
  message: `${field} is required when status is scheduled`,
})

const isQueued = (status: PostStatus) => status === 'scheduled' || status === 'pending_approval'

function throwIfAny([first, ...others]: FieldError[]): void {
  if (first) throw invalid([first, ...others])
}

function isTooLarge(post: Post): boolean {
  const texts = [post, ...post.account_customizations].flatMap(({ text, subposts = [] }) => [
    text,
    ...subposts.map((subpost) => subpost.text),
  ])
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
  return textBytes > mostTextBytes || bytesOf(post) > mostBytes
}

/** About what DynamoDB counts: names and values in UTF-8. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce(
    (sum, [name, part]) => sum + 1 + (Array.isArray(value) ? 0 : Buffer.byteLength(name)) + bytesOf(part),
    3,
  )
}

/** What comes with the status: the schedule, the slot, the approval, and whether published accounts get it again. */
function enterStatus(before: Post, merged: Post, status: PostStatus, now: Instant): Post {
  const scheduledAt = status === 'draft' ? null : merged.scheduled_at
  const leavesPublished = before.status === 'published' && status !== 'published'
  return {
    ...merged,
    status,
    scheduled_at: scheduledAt,
    ...(scheduledAt !== before.scheduled_at && { slot_id: null, slot_date: null }),
    approval: approvalAfter(before, status),
    published_at: leavesPublished ? null : merged.published_at,
    republish: before.republish || leavesPublished,
    updated_at: now,
  }
}

function approvalAfter(before: Post, status: PostStatus): Approval {
  if (status === before.status) return before.approval
  return status === 'pending_approval' ? pending : notRequired
}
