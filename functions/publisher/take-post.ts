import { ownerCodeOf } from '#shared/domain/id.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import { takeForPublishing } from '#shared/domain/publishing.ts'
import { wakeUp } from '#shared/domain/wake.ts'
import type { Services } from '#shared/services.ts'

/**
 * Takes a due post for publishing in one conditional write, and sends a job for each account. Whoever loses the race
 * for it, or comes too early, too late or to a post that is not scheduled any more, does nothing.
 */
export async function takePost(
  job: Extract<PublishJob, { kind: 'post' }>,
  services: Services,
): Promise<void> {
  const { posts, publications, owners, clock, sendPublishJob } = services
  const now = clock.now()
  const post = await posts.find(job.post)
  if (post?.status !== 'scheduled' || post.scheduled_at === null) return
  if (post.scheduled_at > now) {
    // Our clock is behind the one that sent the job, or the post was put off: at a later time, if that is near.
    if (wakeUp(post.scheduled_at, now, job.hops).send) {
      await sendPublishJob({ ...job, hops: job.hops + 1 }, post.scheduled_at)
    }
    return
  }

  const owner = ownerCodeOf(post.id)
  if (!(await owners.find(owner))) {
    // The owner was removed: nothing of it goes out any more.
    await posts.save({ ...post, status: 'draft', scheduled_at: null, updated_at: now }, post)
    return
  }

  const accounts = post.accounts.map(({ id }) => id)
  const taken = takeForPublishing(post, await publications.listOf(post.id, accounts), {
    now,
    nextId: () => services.nextId('publication', owner, now),
  })
  const work = taken.publications.map((publication) => ({ publication, wakeAt: wakeUp(now, now).wakeAt }))
  if (!(await publications.claim(taken.post, post, work))) return
  if (taken.post.status !== 'publishing') return
  await Promise.all(
    taken.publications.map(({ social_provider_id: social }) =>
      sendPublishJob({ kind: 'publication', post: post.id, social, hops: job.hops + 1 }, now),
    ),
  )
}
