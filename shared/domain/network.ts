/**
 * The networks that posts go out to, as data: what each takes, and its limits as the network counts them.
 * Facts and their sources: the networks' own documentation, gathered November 2026.
 */

export const providerTypes = [
  'facebook',
  'instagram',
  'youtube',
  'tiktok',
  'linkedin',
  'pinterest',
  'google_business',
  'bluesky',
  'mastodon',
  'threads',
  'x',
] as const
export type ProviderType = (typeof providerTypes)[number]

/**
 * How a network counts text: code points, UTF-16 units, user-perceived characters, bytes of UTF-8,
 * or X's weights (https://developer.x.com/en/docs/counting-characters), or Mastodon's (a URL is always 23).
 */
export type TextCount = 'code-points' | 'utf16' | 'graphemes' | 'utf8-bytes' | 'x-weighted' | 'mastodon'

export interface Network {
  /** May carry posts of publish type short, and story. */
  short: boolean
  story: boolean
  /** Takes a custom thumbnail for its video. */
  thumbnail: boolean
  /** What a reply (subpost) becomes; null where the network has neither threads nor comments. */
  subposts: 'thread' | 'comments' | null
  text: { max: number; count: TextCount; maxBytes?: number }
  /** For each reply, where it differs from the text. */
  subpostText?: { max: number; count: TextCount }
  title?: { max: number; required: boolean }
  /** How many of each one post takes, and whether it takes both kinds at once. */
  media: { images: number; videos: number; mixed: boolean }
}

const bySize = (images: number, videos = 1, mixed = false) => ({ images, videos, mixed })

export const networks: Record<ProviderType, Network> = {
  facebook: {
    short: true,
    story: true,
    thumbnail: false,
    subposts: 'comments',
    text: { max: 63_206, count: 'code-points' },
    media: bySize(10),
  },
  instagram: {
    short: true,
    story: true,
    thumbnail: true,
    subposts: 'comments',
    text: { max: 2_200, count: 'code-points' },
    media: bySize(10, 10, true),
  },
  youtube: {
    short: true,
    story: false,
    thumbnail: true,
    subposts: 'comments',
    text: { max: 5_000, count: 'utf8-bytes' },
    title: { max: 100, required: false },
    media: bySize(0),
  },
  tiktok: {
    short: true,
    story: false,
    thumbnail: false,
    subposts: null,
    text: { max: 2_200, count: 'utf16' },
    media: bySize(35),
  },
  linkedin: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: 'comments',
    text: { max: 3_000, count: 'code-points' },
    subpostText: { max: 1_250, count: 'code-points' },
    media: bySize(20),
  },
  pinterest: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: null,
    text: { max: 800, count: 'code-points' },
    title: { max: 100, required: false },
    media: bySize(5),
  },
  google_business: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: null,
    text: { max: 1_500, count: 'code-points' },
    media: bySize(1, 0),
  },
  bluesky: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: 'thread',
    text: { max: 300, count: 'graphemes', maxBytes: 3_000 },
    media: bySize(4),
  },
  mastodon: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: 'thread',
    text: { max: 500, count: 'mastodon' },
    media: bySize(4),
  },
  threads: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: 'thread',
    text: { max: 500, count: 'code-points' },
    media: bySize(20, 20, true),
  },
  x: {
    short: false,
    story: false,
    thumbnail: false,
    subposts: 'thread',
    text: { max: 280, count: 'x-weighted' },
    media: bySize(4),
  },
}
