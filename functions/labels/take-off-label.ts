import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Post } from '#shared/domain/post.ts'
import { postClasses } from '#shared/domain/post.ts'
import type { Slot } from '#shared/domain/slot.ts'
import type { Services } from '#shared/services.ts'

/**
 * Takes a deleted label off every slot and post that carries it. Each is changed on its own, so a crash or a repeat
 * only means that the rest is done later; done when no facet row of the label is left.
 */
export async function takeOffLabel(label: Id<'label'>, { posts, slots }: Services): Promise<void> {
  const owner = ownerCodeOf(label)
  const labelled = (await slots.listAll(owner)).filter(({ label_ids }) => label_ids.includes(label))
  for (const { id } of labelled) await slots.change(id, (slot) => withoutLabel(slot, label))
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

/** A slot that loses its last label becomes inactive: it would be open to unlabelled posts, which nobody asked for. */
function withoutLabel(slot: Slot, label: Id<'label'>): Slot | undefined {
  if (!slot.label_ids.includes(label)) return undefined
  const label_ids = slot.label_ids.filter((other) => other !== label)
  return { ...slot, label_ids, is_active: slot.is_active && label_ids.length > 0 }
}
