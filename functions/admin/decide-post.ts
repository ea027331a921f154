import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import { ownedBelow } from '#shared/edge/owned.ts'
import type { Refusal } from '#shared/edge/route.ts'
import { commitScheduled } from '#shared/edge/schedule-post.ts'
import type { Services } from '#shared/services.ts'

export const notPending: Refusal = {
  status: 409,
  when: 'The post does not wait for approval, or not any more',
  messages: ['Post is not pending approval'],
}

/** Writes the application's decision on the owner's post, on the post as it is now if it was changed meanwhile. */
export async function decidePost(
  params: Record<string, string>,
  decide: (post: Post) => Post,
  { now, services }: { now: Instant; services: Services },
): Promise<Post> {
  const { owners, posts } = services
  const owner = ownerCodeOf((await owners.get(params['owner'] ?? '')).id)
  const find = (id: Id<'post'>) => posts.find(id)
  for (;;) {
    const before = await ownedBelow('post', params['id'], { owner, thing: 'Post', find })
    const post = decide(before)
    const commit = (wakeAt: Instant | undefined) => posts.save(post, before, wakeAt)
    if (await commitScheduled(post, commit, { now, services })) return post
  }
}
