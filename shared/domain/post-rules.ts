/** The contract's validation rules 2 to 8, on a whole post: on what was sent, merged with what is stored. */
import { networks } from './network.ts'
import type { AccountCustomization, Post, PostContent, PublishType } from './post.ts'
import { contentFor } from './post.ts'
import type { FieldError } from './problem.ts'

type Rules = Pick<Post, keyof PostContent | 'publish_type' | 'accounts' | 'account_customizations'> &
  Pick<Post, 'provider_types' | 'media_types'>

/** What is wrong with the post's content, first things first; empty when nothing is. Status is not looked at. */
export function contentErrors(post: Rules & Post): FieldError[] {
  const targets = post.accounts.map(({ id }) => id)
  return [
    ...kindErrors(post.publish_type, targets, post),
    ...requirementErrors({ content: post, publishType: post.publish_type, targets, post, at: '' }),
    ...rootThumbnailErrors(post),
    ...post.account_customizations.flatMap((customization, index) =>
      customizationErrors(post, customization, index),
    ),
  ]
}

/** Rule 3: where a short may go. (A story may go anywhere, with text.) */
function kindErrors(publishType: PublishType, targets: string[], post: Rules): FieldError[] {
  if (publishType !== 'short' || targets.every((id) => networkOf(post, id)?.short)) return []
  return [
    {
      field: 'accounts',
      message: 'accounts of a short post must all be among: facebook, instagram, youtube, tiktok',
    },
  ]
}

/** Rules 2 to 4: the text and media that the publish type asks for. */
function requirementErrors(subject: {
  content: PostContent
  publishType: PublishType
  targets: string[]
  post: Rules
  at: string
}): FieldError[] {
  const { content, publishType, targets, post, at } = subject
  const errors: FieldError[] = []
  const takesStories = targets.every((id) => networkOf(post, id)?.story)
  const needsText = publishType !== 'story' || !takesStories
  if (needsText && (content.text ?? '').trim() === '') {
    const because =
      publishType === 'story' ? ' for a story on accounts that are not facebook or instagram' : ''
    errors.push({ field: `${at}text`, message: `${at}text is required${because}` })
  }
  if (publishType !== 'regular' && content.media.length === 0) {
    errors.push({
      field: `${at}media`,
      message: `${at}media is required when publish_type is ${publishType}`,
    })
  }
  return errors
}

/** Rule 5, on the root: somebody must be able to use the thumbnail, and there must be one video that it belongs to. */
function rootThumbnailErrors(post: Rules): FieldError[] {
  if (post.thumbnail_media_id === null) return []
  const field = 'thumbnail_media_id'
  if (!post.accounts.some(({ id }) => networkOf(post, id)?.thumbnail)) {
    return [{ field, message: `${field} is only supported when the post targets instagram or youtube` }]
  }
  return thumbnailErrors(post, post, field)
}

function thumbnailErrors(content: PostContent, post: Rules, field: string): FieldError[] {
  const videos = content.media.filter((id) => post.media_types[id] === 'video')
  if (videos.length !== 1) return [{ field, message: `${field} requires media to contain exactly one video` }]
  if (content.thumbnail_media_id && post.media_types[content.thumbnail_media_id] !== 'image') {
    return [{ field, message: `${field} must be a completed image upload` }]
  }
  return []
}

/** Rule 8: a customization belongs to an account, and root + override satisfy the publish type's rules there. */
function customizationErrors(
  post: Rules & Post,
  customization: AccountCustomization,
  index: number,
): FieldError[] {
  const at = `account_customizations[${index}].`
  if (!post.accounts.some(({ id }) => id === customization.id)) {
    return [{ field: `${at}id`, message: `${at}id must also be in accounts` }]
  }
  const content = contentFor(post, customization.id)
  const errors = requirementErrors({
    content,
    publishType: post.publish_type,
    targets: [customization.id],
    post,
    at,
  })
  const field = `${at}thumbnail_media_id`
  const takesThumbnails = networkOf(post, customization.id)?.thumbnail ?? false
  if (content.thumbnail_media_id && takesThumbnails)
    return [...errors, ...thumbnailErrors(content, post, field)]
  if (customization.thumbnail_media_id) {
    return [...errors, { field, message: `${field} is only supported for instagram and youtube accounts` }]
  }
  return errors
}

function networkOf(post: Pick<Post, 'provider_types'>, social: string) {
  const type = post.provider_types[social]
  return type && networks[type]
}
