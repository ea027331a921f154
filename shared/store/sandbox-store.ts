import type { Id } from '#shared/domain/id.ts'
import type { SentPart } from '#shared/domain/publication.ts'
import type { Item, Table } from '../aws/table.ts'
import type { SandboxNetwork, SandboxPost, SandboxReply } from '../providers/sandbox.ts'
import { sandboxMarkerKey, sandboxPartition } from './layout.ts'

export type SandboxStore = SandboxNetwork & {
  /** Everything that the account's sandbox accepted, newest first. */
  list(social: Id<'social'>): Promise<SandboxPost[]>
}

/** Keeps what the sandbox network accepted. `nextId` gives IDs in the order of time. */
export const sandboxStore = (table: Table, nextId: () => string): SandboxStore => ({
  async accept(social, { marker, ...post }) {
    const platform_post_id = nextId()
    const accepted: SentPart = {
      platform_post_id,
      url: `https://sandbox.invalid/${social}/${platform_post_id}`,
    }
    await table.commit([
      { put: { pk: sandboxPartition(social), sk: platform_post_id, ...post, ...accepted } },
      { put: { ...sandboxMarkerKey(social, marker), ...accepted } },
    ])
    return accepted
  },

  async acceptReply(social, root, { marker, position, ...reply }) {
    const platform_post_id = nextId()
    const accepted: SentPart = {
      platform_post_id,
      url: `https://sandbox.invalid/${social}/${platform_post_id}`,
    }
    await table.commit([
      // Sorts behind its post, in the thread's order, and before the next post.
      {
        put: {
          pk: sandboxPartition(social),
          sk: `${root}#${String(position).padStart(2, '0')}#${platform_post_id}`,
          ...reply,
          ...accepted,
        },
      },
      { put: { ...sandboxMarkerKey(social, marker), ...accepted } },
    ])
    return accepted
  },

  async find(social, marker) {
    const item = await table.get(sandboxMarkerKey(social, marker))
    return item && { platform_post_id: String(item['platform_post_id']), url: String(item['url']) }
  },

  async list(social) {
    const { items } = await table.query({ pk: sandboxPartition(social), consistent: true })
    return items
      .filter(({ sk }) => !sk.includes('#'))
      .map((post) =>
        toPost(
          post,
          items.filter(({ sk }) => sk.startsWith(`${post.sk}#`)),
        ),
      )
      .reverse()
  },
})

const toReply = (item: Item): SandboxReply => ({
  platform_post_id: item['platform_post_id'] as string,
  text: item['text'] as string,
  media: item['media'] as SandboxReply['media'],
  published_at: item['published_at'] as SandboxReply['published_at'],
})

function toPost(post: Item, replies: Item[]): SandboxPost {
  const { platform_post_id, ...rest } = toReply(post)
  return { platform_post_id, url: String(post['url']), ...rest, replies: replies.map(toReply) }
}
