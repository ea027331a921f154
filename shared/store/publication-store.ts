import type { Id } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Publication, PublicationError } from '#shared/domain/publication.ts'
import { isFinal } from '#shared/domain/publication.ts'
import { absent, any, equals, lessThan } from '../aws/condition.ts'
import type { Item, Table, Write } from '../aws/table.ts'
import { attemptKey, dueAttributes, dueIndex, publicationKey } from './layout.ts'
import { postWrites } from './post-writes.ts'

export type PublicationStore = ReturnType<typeof publicationStore>

/** What happened to one part of one attempt: written before the call that cannot be taken back, and after it. */
export interface Attempt {
  part: number
  armed_at: Instant | null
  ended_at: Instant | null
  outcome: string | null
  error: PublicationError | null
}

/** Publications, each with its attempts, and their share in their post. */
export const publicationStore = (table: Table) => ({
  async find(post: Id<'post'>, social: Id<'social'>): Promise<Publication | undefined> {
    const item = await table.get(publicationKey(post, social))
    return item && fromItem(item)
  },

  /** The post's publications on these accounts, as far as there are any. */
  async listOf(post: Id<'post'>, socials: Id<'social'>[]): Promise<Publication[]> {
    const items = await Promise.all(socials.map((social) => table.get(publicationKey(post, social))))
    return items.flatMap((item) => (item ? [fromItem(item)] : []))
  },

  /**
   * Takes the post for publishing: the post as it becomes, and a publication for each account that is to get it.
   * False when the post was changed since it was read: somebody else took it, or a caller changed it.
   * Publications that are final already go first, by themselves: with the facets of a post that is finished at once
   * they could be too many for one transaction. Should that be all that is written, the next taker writes them anew.
   */
  async claim(
    post: Post,
    before: Post,
    publications: { publication: Publication; wakeAt: Instant }[],
  ): Promise<boolean> {
    const settled = publications.filter(({ publication }) => isFinal(publication))
    const open = publications.filter(({ publication }) => !isFinal(publication))
    const first = await table.commit(
      settled.map(({ publication, wakeAt }) => ({
        put: toItem(publication, wakeAt),
        when: any(absent, lessThan('fence', publication.fence)),
      })),
    )
    if (!first.done) return false
    const { done } = await table.commit([
      ...postWrites(post, before),
      ...open.map(({ publication, wakeAt }) => ({ put: toItem(publication, wakeAt) })),
    ])
    return done
  },

  /** Writes the next state, if the fence is still `fence`; answers whether it was. */
  async save(
    publication: Publication,
    fence: number,
    change: { wakeAt: Instant; attempt?: Attempt },
  ): Promise<boolean> {
    const { done } = await table.commit(publicationWrites(publication, fence, change))
    return done
  },

  /**
   * Writes the next state together with what it means for the post. `lost`: the fence is not ours any more.
   * `stale`: the post was changed since it was read; read it again.
   */
  async saveWithPost(
    publication: Publication,
    fence: number,
    change: { wakeAt: Instant; attempt?: Attempt; post: Post; before: Post },
  ): Promise<'saved' | 'lost' | 'stale'> {
    const result = await table.commit([
      ...publicationWrites(publication, fence, change),
      ...postWrites(change.post, change.before),
    ])
    if (result.done) return 'saved'
    return result.refusals[0] ? 'lost' : 'stale'
  },
})

function publicationWrites(
  publication: Publication,
  fence: number,
  { wakeAt, attempt }: { wakeAt: Instant; attempt?: Attempt },
): Write[] {
  const { post_id, social_provider_id, round, attempts } = publication
  return [
    { put: toItem(publication, wakeAt), when: equals('fence', fence) },
    ...(attempt
      ? [
          {
            put: {
              ...attemptKey(post_id, social_provider_id, { round, attempt: attempts, part: attempt.part }),
              ...attempt,
            },
          },
        ]
      : []),
  ]
}

/** A final publication is in no index: nobody must look at it. */
const toItem = (publication: Publication, wakeAt: Instant): Item => ({
  ...publicationKey(publication.post_id, publication.social_provider_id),
  ...publication,
  ...(!isFinal(publication) && dueAttributes(publication.publication_id, wakeAt)),
})

const fromItem = ({
  pk: _pk,
  sk: _sk,
  [dueIndex.partitionKey]: _shard,
  [dueIndex.sortKey]: _wake,
  ...rest
}: Item) => rest as unknown as Publication
