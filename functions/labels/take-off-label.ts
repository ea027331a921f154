import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { PostClass } from '#shared/domain/post.ts'
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
  // A post may change its class between two looks: done is what a whole pass found nothing in.
  for (let found = true; found; ) {
    found = false
    for (const of of postClasses) {
      const ids = await posts.listLabelled(owner, { of, label })
      found ||= ids.length > 0
      for (const id of ids) await takeOff(id, of)
    }
  }

  async function takeOff(id: Id<'post'>, of: PostClass): Promise<void> {
    const post = await posts.find(id)
    // A row whose post is gone, or does not carry the label any more, is a stray one: there should be none.
    if (!post?.labels.includes(label)) return posts.removeLabelRow(id, { of, label })
    const labels = post.labels.filter((other) => other !== label)
    const wakeAt = post.status === 'scheduled' && post.scheduled_at ? post.scheduled_at : undefined
    // Who changes the post meanwhile wins; the row is still there, and is found again.
    await posts.save({ ...post, labels }, post, wakeAt)
  }
}

/** A slot that loses its last label becomes inactive: it would be open to unlabelled posts, which nobody asked for. */
function withoutLabel(slot: Slot, label: Id<'label'>): Slot | undefined {
  if (!slot.label_ids.includes(label)) return undefined
  const label_ids = slot.label_ids.filter((other) => other !== label)
  return { ...slot, label_ids, is_active: slot.is_active && label_ids.length > 0 }
}
