import * as v from 'valibot'
import { providerTypes } from '#shared/domain/network.ts'
import type { Post } from '#shared/domain/post.ts'
import { contentOf, postStatuses, publishTypes } from '#shared/domain/post.ts'
import { ctas, privacyStatuses, topicTypes } from '#shared/domain/post-input.ts'
import { InstantReply } from './fields.ts'

const Text = v.nullable(v.string())
const Flag = v.nullable(v.boolean())
const MediaId = v.pipe(v.string(), v.examples(['med_4Z7K2M9QWX01JE3Z5W8R0000000000000000']))
const SocialId = v.pipe(v.string(), v.examples(['soc_4Z7K2M9QWX01JE3Z5W8R0000000000000000']))
const Subpost = v.object({ text: Text, media: v.array(MediaId) })

const content = {
  text: Text,
  media: v.array(MediaId),
  thumbnail_media_id: v.nullable(MediaId),
  subposts: v.array(Subpost),
  title: Text,
  link: Text,
  terms_and_conditions: Text,
  coupon_code: Text,
  start_date: Text,
  end_date: Text,
  cta: v.nullable(v.picklist(ctas)),
}

const PublicationReply = v.object({
  publication_id: v.string(),
  social_provider_id: SocialId,
  provider_type: v.picklist(providerTypes),
  status: v.picklist(['queued', 'publishing', 'published', 'failed', 'outcome_unknown']),
  platform_post_id: Text,
  url: Text,
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  attempts: v.pipe(v.number(), v.integer()),
  published_at: v.nullable(InstantReply),
})

/** A post, as callers see it: every key always present. A fetched post can be sent back unchanged. */
export const PostReply = v.object({
  id: v.pipe(v.string(), v.examples(['post_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
  status: v.picklist(postStatuses),
  publish_type: v.picklist(publishTypes),
  ...content,
  accounts: v.array(v.object({ id: SocialId, board_id: Text })),
  account_customizations: v.pipe(
    v.array(v.intersect([v.object({ id: SocialId }), v.partial(v.object(content))])),
    v.description('Only the fields that an account has instead of the post’s.'),
  ),
  labels: v.array(v.string()),
  scheduled_at: v.nullable(InstantReply),
  slot_id: Text,
  approval: v.object({
    status: v.picklist(['not_required', 'pending', 'approved', 'rejected']),
    reason: Text,
    decided_at: v.nullable(InstantReply),
  }),
  notes: Text,
  short_link_enabled: v.boolean(),
  topic_type: v.nullable(v.picklist(topicTypes)),
  privacy_status: v.nullable(v.picklist(privacyStatuses)),
  allow_comments: Flag,
  allow_duet: Flag,
  allow_stitch: Flag,
  created_at: InstantReply,
  updated_at: InstantReply,
  published_at: v.nullable(InstantReply),
  publications: v.array(PublicationReply),
})

/** What of a stored post callers see; what the service remembers beside stays inside. */
export const showPost = (post: Post) => ({
  id: post.id,
  status: post.status,
  publish_type: post.publish_type,
  ...contentOf(post),
  accounts: post.accounts,
  account_customizations: post.account_customizations,
  labels: post.labels,
  scheduled_at: post.scheduled_at,
  slot_id: post.slot_id,
  approval: post.approval,
  notes: post.notes,
  short_link_enabled: post.short_link_enabled,
  topic_type: post.topic_type,
  privacy_status: post.privacy_status,
  allow_comments: post.allow_comments,
  allow_duet: post.allow_duet,
  allow_stitch: post.allow_stitch,
  created_at: post.created_at,
  updated_at: post.updated_at,
  published_at: post.published_at,
  publications: post.publications,
})
