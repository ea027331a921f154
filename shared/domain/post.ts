/** A post, as it is stored: fields by the contract's names, and what the service must remember beside them. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import type { ProviderType } from './network.ts'
import type { PublicationSummary } from './publication.ts'

export const publishTypes = ['regular', 'short', 'story'] as const
export type PublishType = (typeof publishTypes)[number]

export const postStatuses = [
  'draft',
  'scheduled',
  'pending_approval',
  'publishing',
  'published',
  'failed',
] as const
export type PostStatus = (typeof postStatuses)[number]
export type MediaType = 'image' | 'gif' | 'video'

export interface Subpost {
  text: string | null
  media: Id<'media'>[]
}

export interface AccountReference {
  id: Id<'social'>
  /** Pinterest's board. */
  board_id: string | null
}

/** The fields that say what goes out: the root's, or what one account has instead. */
export interface PostContent {
  text: string | null
  media: Id<'media'>[]
  thumbnail_media_id: Id<'media'> | null
  subposts: Subpost[]
  title: string | null
  link: string | null
  terms_and_conditions: string | null
  coupon_code: string | null
  /** A date, or an instant: answered as the kind that was sent. */
  start_date: string | null
  end_date: string | null
  cta: string | null
}

/** What one account gets instead of the root: only the fields that were sent. */
export type AccountCustomization = { id: Id<'social'> } & Partial<PostContent>

export interface Approval {
  status: 'not_required' | 'pending' | 'approved' | 'rejected'
  reason: string | null
  decided_at: Instant | null
}

/** Everything that a caller may write. */
export interface PostFields extends PostContent {
  publish_type: PublishType
  accounts: AccountReference[]
  account_customizations: AccountCustomization[]
  labels: Id<'label'>[]
  scheduled_at: Instant | null
  notes: string | null
  short_link_enabled: boolean
  topic_type: string | null
  privacy_status: string | null
  allow_comments: boolean | null
  allow_duet: boolean | null
  allow_stitch: boolean | null
}

export interface Post extends PostFields {
  id: Id<'post'>
  status: PostStatus
  slot_id: Id<'slot'> | null
  /** The local date of its occurrence in that slot: together they name what it holds. */
  slot_date: string | null
  approval: Approval
  created_at: Instant
  updated_at: Instant
  published_at: Instant | null
  publications: PublicationSummary[]
  /** Of each account and media item ever named, so that the rules hold when those are removed later. */
  provider_types: Record<string, ProviderType>
  media_types: Record<string, MediaType>
  /** How often it was taken for publishing; names the attempts of one go. */
  round: number
  /** The next round goes to every account, even to those that have it: it was published whole before. */
  republish: boolean
  /** Counts the writes; each is conditional on the version that it read. */
  version: number
}

/** What the facet rows tell apart: scheduled, pending approval and publishing are all queued. */
export const postClasses = ['draft', 'queued', 'published', 'failed'] as const
export type PostClass = (typeof postClasses)[number]

const classes: Record<PostStatus, PostClass> = {
  draft: 'draft',
  scheduled: 'queued',
  pending_approval: 'queued',
  publishing: 'queued',
  published: 'published',
  failed: 'failed',
}

export const classOf = (status: PostStatus): PostClass => classes[status]

/** The content that one account gets: the root, with the fields that its customization sends in their place. */
export function contentFor(post: PostFields, social: Id<'social'>): PostContent {
  const { id: _, ...overrides } = post.account_customizations.find(({ id }) => id === social) ?? {
    id: social,
  }
  return { ...contentOf(post), ...overrides }
}

/** The content fields alone. */
export const contentOf = (post: PostContent): PostContent => ({
  text: post.text,
  media: post.media,
  thumbnail_media_id: post.thumbnail_media_id,
  subposts: post.subposts,
  title: post.title,
  link: post.link,
  terms_and_conditions: post.terms_and_conditions,
  coupon_code: post.coupon_code,
  start_date: post.start_date,
  end_date: post.end_date,
  cta: post.cta,
})

/** Every media item that the fields name, once: root, replies, thumbnails and customizations. */
export function mediaOf(fields: Partial<PostFields>): Id<'media'>[] {
  const contents: Partial<PostContent>[] = [fields, ...(fields.account_customizations ?? [])]
  const ids = contents.flatMap(({ media = [], thumbnail_media_id, subposts = [] }) => [
    ...media,
    ...(thumbnail_media_id ? [thumbnail_media_id] : []),
    ...subposts.flatMap((subpost) => subpost.media),
  ])
  return [...new Set(ids)]
}

/** What a create starts from: every field that was not sent has this value. */
export const emptyFields: PostFields = {
  text: null,
  media: [],
  thumbnail_media_id: null,
  subposts: [],
  title: null,
  link: null,
  terms_and_conditions: null,
  coupon_code: null,
  start_date: null,
  end_date: null,
  cta: null,
  publish_type: 'regular',
  accounts: [],
  account_customizations: [],
  labels: [],
  scheduled_at: null,
  notes: null,
  short_link_enabled: false,
  topic_type: null,
  privacy_status: null,
  allow_comments: null,
  allow_duet: null,
  allow_stitch: null,
}
