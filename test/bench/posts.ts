/** The one set of posts that every size grows from: 1.5 KB each, two labels, two accounts, some in every class. */
import { createHash } from 'node:crypto'
import type { Item, Write } from '#shared/aws/table.ts'
import type { Id } from '#shared/domain/id.ts'
import { makeId } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { parseInstant, plusSeconds } from '#shared/domain/instant.ts'
import type { Post, PostStatus } from '#shared/domain/post.ts'
import { wakeUpOf } from '#shared/edge/schedule-post.ts'
import { countShards } from '#shared/store/layout.ts'
import { createWrites } from '#shared/store/post-writes.ts'
import { openBulk } from './bulk.ts'
import type { Ground } from './ground.ts'
import { itemBytes } from './stored-bytes.ts'

/** What the budgets are for. */
export const postBytes = 1_536
const secondsBetweenPosts = 10
const firstPost = parseInstant('2025-10-01T00:00:00Z') as Instant
/** Ten posts in a row: so many of each. */
const statuses: PostStatus[] = [
  ...Array.from({ length: 4 }, () => 'draft' as const),
  ...Array.from({ length: 3 }, () => 'scheduled' as const),
  ...Array.from({ length: 2 }, () => 'published' as const),
  'failed',
]
const chunk = 2_000

export type Data = Awaited<ReturnType<typeof openData>>

/** Labels and accounts to choose from, and no posts yet. */
export async function openData(ground: Ground) {
  const bulk = openBulk(ground.endpoint, ground.tableName)
  const labels: Id<'label'>[] = []
  for (const title of ['One', 'Two', 'Three', 'Four', 'Rare'])
    labels.push((await ground.own('POST', '/labels', { title })).id)
  const rareLabel = labels.pop() as Id<'label'>
  const accounts: Id<'social'>[] = []
  const social = { provider_type: 'mastodon', display_name: 'Bench', sandbox: true }
  for (let n = 0; n < 4; n++)
    accounts.push((await ground.operator('POST', `/admin/owners/${ground.ownerId}/socials`, social)).id)

  // A post as the product stores it: the others are made after it.
  const { id } = await ground.own('POST', '/posts', {
    text: 'Bench',
    accounts: accounts.slice(0, 2),
    labels: labels.slice(0, 2),
  })
  const model = (await ground.services.posts.find(id)) as Post
  await ground.own('DELETE', `/posts/${id}`)

  const idAt = (n: number) =>
    makeId('post', {
      owner: ground.owner,
      now: plusSeconds(firstPost, n * secondsBetweenPosts),
      random: createHash('sha256').update(String(n)).digest(),
    })

  function postAt(n: number): Post {
    const status = statuses[n % statuses.length] as PostStatus
    // Labels and accounts take the same turns: some pairs are common, and some never occur.
    const turn = Math.floor(n / statuses.length) + n
    const isRare = n < 50 && n % statuses.length === 0
    const created_at = plusSeconds(firstPost, n * secondsBetweenPosts)
    return {
      ...model,
      id: idAt(n),
      status,
      labels: [at(labels, turn), isRare ? rareLabel : at(labels, turn + 1)],
      accounts: [at(accounts, turn), at(accounts, turn + 1)].map((account) => ({
        id: account,
        board_id: null,
      })),
      provider_types: { [at(accounts, turn)]: 'mastodon', [at(accounts, turn + 1)]: 'mastodon' },
      created_at,
      updated_at: created_at,
      scheduled_at:
        status === 'draft' ? null : plusSeconds(created_at, status === 'scheduled' ? 366 * 86_400 : 60),
      published_at: status === 'published' ? plusSeconds(created_at, 61) : null,
    }
  }

  /** What creates the post, with notes that make its item as large as the budgets' posts are. */
  function fittedWrites(post: Post, countShard: number): Write[] {
    const writes = (notes: string) =>
      createWrites({ ...post, notes }, { wakeAt: wakeUpOf(post, ground.clock.now())?.wakeAt, countShard })
    const [bare] = writes('')
    return writes('x'.repeat(postBytes - itemBytes((bare as { put: Item }).put)))
  }

  let size = 0
  return {
    labels,
    rareLabel,
    accounts,
    bulk,
    idAt,
    /** The writes of a new draft as large as the others. Not counted: whoever makes it takes it away again. */
    draftWrites(fields: Partial<Post>): Write[] {
      const now = ground.clock.now()
      const id = ground.services.nextId('post', ground.owner, now)
      const writes = fittedWrites({ ...model, id, created_at: now, updated_at: now, ...fields }, 0)
      return writes.filter((write) => 'put' in write)
    },
    /** Adds posts, newer and newer ones, until there are so many. */
    async growTo(target: number): Promise<void> {
      for (; size < target; size = Math.min(size + chunk, target)) {
        const length = Math.min(chunk, target - size)
        await bulk.write(
          Array.from({ length }, (_, n) => fittedWrites(postAt(size + n), (size + n) % countShards)).flat(),
        )
      }
    },
    close: () => bulk.close(),
  }
}

const at = <Value>(values: Value[], turn: number): Value => values[turn % values.length] as Value
