/** Writing a post that may be due soon: the index entry goes with the write, the job right after it. */
import type { Instant } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { WakeUp } from '#shared/domain/wake.ts'
import { wakeUp } from '#shared/domain/wake.ts'
import type { Services } from '#shared/services.ts'
import { courtesy } from './courtesy.ts'

interface Circumstances {
  now: Instant
  services: Pick<Services, 'sendPublishJob'>
}

/** Where the post is to stand in the `due` index; undefined unless it is scheduled. */
export const wakeUpOf = ({ status, scheduled_at }: Post, now: Instant): WakeUp | undefined =>
  status === 'scheduled' && scheduled_at ? wakeUp(scheduled_at, now) : undefined

/**
 * Commits the post with its place in the `due` index, and sends its job when it is due soon. Should this end between
 * the two, the sweep sends the job some seconds after the post was due.
 */
export async function commitScheduled(
  post: Post,
  commit: (wakeAt: Instant | undefined) => Promise<boolean>,
  circumstances: Circumstances,
): Promise<boolean> {
  const done = await commit(wakeUpOf(post, circumstances.now)?.wakeAt)
  if (done) await sendIfNear(post, circumstances)
  return done
}

/** Sends the job of a post that was just written and is due soon. What is written stays written, whatever the queue says. */
export async function sendIfNear(post: Post, { now, services }: Circumstances): Promise<void> {
  const { id, scheduled_at } = post
  if (!scheduled_at || !wakeUpOf(post, now)?.send) return
  await courtesy('A publish job could not be sent; the sweep will send it', () =>
    services.sendPublishJob({ kind: 'post', post: id, hops: 0 }, scheduled_at),
  )
}
