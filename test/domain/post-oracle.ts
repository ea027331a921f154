/**
 * The contract's rules for posts, written once more from its text and as plainly as possible: what a write must come
 * to, whatever the code does. Values are those that a caller sees.
 */
import { isDeepStrictEqual } from 'node:util'
import { networks, type ProviderType } from '#shared/domain/network.ts'
import type { MediaType, PostStatus } from '#shared/domain/post.ts'

/** A post, or what a request sends of one. */
export type Values = Record<string, any>

export interface World {
  now: string
  requiresApproval: boolean
  typeOf(account: string): ProviderType | undefined
  kindOf(media: string): MediaType | undefined
}

/** The post that must come out; or the refusal. */
export type Verdict = { refused: 400 | 409 } | { post: Values; republish: boolean }

const blank: Values = {
  status: 'draft',
  publish_type: 'regular',
  text: null,
  media: [],
  thumbnail_media_id: null,
  subposts: [],
  accounts: [],
  account_customizations: [],
  labels: [],
  scheduled_at: null,
  slot_id: null,
  notes: null,
}
const shorts = new Set(['facebook', 'instagram', 'youtube', 'tiktok'])
const stories = new Set(['facebook', 'instagram'])
const withThumbnails = new Set(['instagram', 'youtube'])

/** What must become of the post (or of nothing, on POST) when the body is sent. */
export function judge(before: Values | undefined, body: Values, world: World): Verdict {
  const from: Values = before ?? blank
  if (from.status === 'publishing') return { refused: 409 }
  // A status equal to the current one counts as not sent.
  const status = body.status === from.status ? undefined : body.status
  if (status !== undefined && status !== 'draft' && status !== 'scheduled') return { refused: 400 }

  const post: Values = { ...from }
  for (const [field, value] of Object.entries(body)) if (field !== 'status') post[field] = value
  post.accounts = post.accounts.map((entry: any) =>
    typeof entry === 'string' ? { id: entry, board_id: null } : entry,
  )
  const next = statusAfter(from, { status, body, post, world })

  if (breaksContentRules(post, world)) return { refused: 400 }
  if ((next === 'scheduled' || next === 'pending_approval') && breaksMediaLimits(post, world))
    return { refused: 400 }
  if (breaksScheduleRules(from, { status, body, post, next, world })) return { refused: 400 }

  const scheduledAt = next === 'draft' ? null : post.scheduled_at
  return {
    post: {
      ...post,
      status: next,
      scheduled_at: scheduledAt,
      // Another time takes it out of its slot.
      slot_id: scheduledAt === from.scheduled_at ? from.slot_id : null,
    },
    republish: Boolean(from.republish) || (from.status === 'published' && next !== 'published'),
  }
}

interface Request {
  status: 'draft' | 'scheduled' | undefined
  body: Values
  post: Values
  world: World
}

function statusAfter(from: Values, { status, body, post, world }: Request): PostStatus {
  const waits = from.status === 'scheduled' || from.status === 'pending_approval'
  if (status === 'draft') return 'draft'
  if (status === 'scheduled') return world.requiresApproval ? 'pending_approval' : 'scheduled'
  if (waits && 'scheduled_at' in body && body.scheduled_at === null) return 'draft'
  if (from.status === 'scheduled' && world.requiresApproval) {
    const changed = Object.keys(post).filter((field) => !isDeepStrictEqual(post[field], from[field]))
    if (changed.some((field) => field !== 'labels' && field !== 'notes')) return 'pending_approval'
  }
  return from.status
}

function breaksContentRules(post: Values, world: World): boolean {
  const ids: string[] = post.accounts.map(({ id }: { id: string }) => id)
  const types = ids.map((id) => world.typeOf(id) ?? 'unknown')

  // Rule 3: accounts of a short.
  if (post.publish_type === 'short' && types.some((type) => !shorts.has(type))) return true
  // Rules 2 to 4 on the root.
  if (breaksRequirements(post, types)) return true
  // Rule 5 on the root.
  if (post.thumbnail_media_id !== null) {
    if (!types.some((type) => withThumbnails.has(type))) return true
    if (!fitsThumbnail(post, world)) return true
  }
  // Rule 6.
  for (const list of [
    post.media,
    ids,
    post.labels,
    ...post.subposts.map((subpost: Values) => subpost.media),
  ]) {
    if (new Set(list).size !== list.length) return true
  }
  // Rule 8.
  for (const customization of post.account_customizations) {
    if (!ids.includes(customization.id)) return true
    const type = world.typeOf(customization.id) ?? 'unknown'
    const effective = { ...post, ...customization }
    if (breaksRequirements(effective, [type])) return true
    if (withThumbnails.has(type)) {
      if (effective.thumbnail_media_id !== null && !fitsThumbnail(effective, world)) return true
    } else if (customization.thumbnail_media_id) return true
  }
  return false
}

/** Each network's own numbers, for what its account gets. */
function breaksMediaLimits(post: Values, world: World): boolean {
  return post.accounts.some(({ id }: { id: string }) => {
    const type = world.typeOf(id)
    if (!type) return false
    const own = post.account_customizations.find((customization: Values) => customization.id === id)
    const { media, subposts }: Values = { ...post, ...own }
    const { images, videos, mixed } = networks[type].media
    const lists: string[][] = [media, ...subposts.map((subpost: Values) => subpost.media)]
    return (
      (subposts.length > 0 && ['tiktok', 'pinterest', 'google_business'].includes(type)) ||
      lists.some((list) => {
        const films = list.filter((item) => world.kindOf(item) === 'video').length
        const stills = list.length - films
        return films > videos || stills > images || (films > 0 && stills > 0 && !mixed)
      })
    )
  })
}

function breaksRequirements({ publish_type, text, media }: Values, types: string[]): boolean {
  const hasText = text !== null && /\S/u.test(text)
  if (publish_type === 'regular') return !hasText
  if (publish_type === 'short') return !hasText || media.length === 0
  return media.length === 0 || (types.some((type) => !stories.has(type)) && !hasText)
}

const fitsThumbnail = ({ media, thumbnail_media_id }: Values, world: World): boolean =>
  media.filter((id: string) => world.kindOf(id) === 'video').length === 1 &&
  world.kindOf(thumbnail_media_id) === 'image'

function breaksScheduleRules(
  from: Values,
  { status, body, post, next, world }: Request & { next: PostStatus },
): boolean {
  const moves = post.scheduled_at !== from.scheduled_at
  // `null` beside `scheduled`, whether that is new or not.
  if (body.status === 'scheduled' && 'scheduled_at' in body && body.scheduled_at === null) return true
  if (next === 'scheduled' || next === 'pending_approval') {
    // Rule 9; what waits already may have become due meanwhile.
    if (post.accounts.length === 0 || post.scheduled_at === null) return true
    return (moves || status === 'scheduled') && Date.parse(post.scheduled_at) <= Date.parse(world.now)
  }
  // Rule 10.
  return moves && post.scheduled_at !== null
}
