/** Writing a post that may be due soon: the index entry goes with the write, the job right after it. */
import type { Instant } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { WakeUp } from '#shared/domain/wake.ts'
import { wakeUp } from '#shared/domain/wake.ts'
import { log } from '#shared/log.ts'
import type { Services } from '#shared/services.ts'

/**
 * Commits the post with its place in the `due` index, and sends its job when it is due soon. Should this end between
 * the two, the sweep sends the job some seconds after the post was due.
 */
export async function commitScheduled(
  post: Post,
  commit: (wakeAt: Instant | undefined) => Promise<boolean>,
  { now, services }: { now: Instant; services: Pick<Services, 'sendPublishJob'> },
): Promise<boolean> {
  const wake: WakeUp | undefined =
    post.status === 'scheduled' && post.scheduled_at ? wakeUp(post.scheduled_at, now) : undefined
  const done = await commit(wake?.wakeAt)
  if (done && wake?.send && post.scheduled_at) await handOver(post.id, post.scheduled_at, services)
  return done
}

/** What is written stays written: a queue that does not answer is no reason to refuse the request. */
async function handOver(post: Post['id'], at: Instant, { sendPublishJob }: Pick<Services, 'sendPublishJob'>) {
  try {
    await sendPublishJob({ kind: 'post', post, hops: 0 }, at)
  } catch (error) {
    log.warn('A publish job could not be sent; the sweep will send it', { error: error as Error })
  }
}
