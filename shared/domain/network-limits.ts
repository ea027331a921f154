/** The networks' own limits: checked when a post becomes scheduled. A draft may break them. */
import type { Network, ProviderType } from './network.ts'
import { networks } from './network.ts'
import type { Post, PostContent } from './post.ts'
import { contentFor } from './post.ts'
import type { FieldError } from './problem.ts'
import { textLength } from './text-length.ts'

/** What the post's accounts would refuse, an error for each: `accounts[soc_…]: bluesky allows at most 300 characters`. */
export function networkErrors(post: Post): FieldError[] {
  return post.accounts.flatMap(({ id }) => {
    const type = post.provider_types[id]
    if (!type) return []
    const content = contentFor(post, id)
    const broken = [...brokenLimits(type, networks[type], content), ...brokenMediaLimits(type, content, post)]
    return broken.map((limit) => ({ field: `accounts[${id}]`, message: `accounts[${id}]: ${limit}` }))
  })
}

function brokenLimits(type: ProviderType, network: Network, content: PostContent): string[] {
  const { text, subpostText = text, title } = network
  const broken: string[] = []
  const check = (value: string | null, { max, count }: Network['text'], of = '') => {
    if (value !== null && textLength(value, count) > max) {
      broken.push(`${type} allows at most ${max} ${count === 'utf8-bytes' ? 'bytes' : 'characters'}${of}`)
    }
  }
  check(content.text, text)
  if (text.maxBytes && Buffer.byteLength(content.text ?? '') > text.maxBytes) {
    broken.push(`${type} allows at most ${text.maxBytes} bytes`)
  }
  if (title) check(content.title, { ...title, count: 'code-points' }, ' in title')
  for (const subpost of content.subposts) check(subpost.text, subpostText, ' in a subpost')
  return broken
}

function brokenMediaLimits(
  type: ProviderType,
  { media, subposts }: PostContent,
  { media_types }: Pick<Post, 'media_types'>,
): string[] {
  const { media: most, subposts: become } = networks[type]
  const broken = subposts.length > 0 && become === null ? [`${type} does not take subposts`] : []
  for (const list of [media, ...subposts.map((subpost) => subpost.media)]) {
    const videos = list.filter((id) => media_types[id] === 'video').length
    const images = list.length - videos
    if (images > most.images) broken.push(`${type} allows at most ${most.images} images`)
    if (videos > most.videos) broken.push(`${type} allows at most ${most.videos} videos`)
    if (images > 0 && videos > 0 && !most.mixed)
      broken.push(`${type} does not take images and videos together`)
  }
  return broken
}
