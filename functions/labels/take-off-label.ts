import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Post } from '#shared/domain/post.ts'
import { postClasses } from '#shared/domain/post.ts'
import type { Services } from '#shared/services.ts'

/**
 * Takes a deleted label off every post that carries it. Each post is changed on its own, so a crash or a repeat only
 * means that the rest is done later; done when no facet row of the label is left.
 */
export async function takeOffLabel(label: Id<'label'>, { posts }: Services): Promise<void> {
  const owner = ownerCodeOf(label)
  for (const of of postClasses) {
    for (;;) {
      const ids = await posts.listLabelled(owner, { of, label })
      if (ids.length === 0) break
      for (const id of ids) await takeOff(label, id)
    }
  }

  async function takeOff(labelId: Id<'label'>, id: Id<'post'>): Promise<void> {
    const post = await posts.find(id)
    // Deleted, or done by somebody else: its rows went in the same transaction.
    if (!post?.labels.includes(labelId)) return
    // Who changes the post meanwhile wins; the row is still there, and is found again.
    await posts.save(
      { ...post, labels: post.labels.filter((other) => other !== labelId) },
      post,
      wakeAtOf(post),
    )
  }

  function wakeAtOf({ status, scheduled_at }: Post) {
    return status === 'scheduled' && scheduled_at ? scheduled_at : undefined
  }
}
