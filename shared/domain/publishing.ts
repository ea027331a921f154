/** What publishing makes of a post: taken, and finished when all of its publications are. Pure. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import { secondsBetween } from './instant.ts'
import type { Post, PostStatus } from './post.ts'
import type { Publication, PublicationError, PublicationSummary } from './publication.ts'
import { isFinal, summarise } from './publication.ts'
import { queuePublication } from './publication-steps.ts'

/** What is found later than this is not sent: a person decides. */
const mostLateSeconds = 2 * 3_600

export const missed: PublicationError = {
  code: 'MISSED_SCHEDULE',
  message: 'The post was found more than two hours after its time, and was not sent',
}

/** A post in the publisher's hands, and the publications that are to be worked on. */
export interface Taken {
  post: Post
  publications: Publication[]
}

/**
 * Takes a due post: every account gets a publication, save those that already have the post from a round that failed
 * elsewhere, and those of which nobody knows whether they have it. `before` holds the publications of earlier rounds.
 */
export function takeForPublishing(
  post: Post,
  before: Publication[],
  { now, nextId }: { now: Instant; nextId: () => Id<'publication'> },
): Taken {
  const round = post.round + 1
  const late = post.scheduled_at !== null && secondsBetween(post.scheduled_at, now) > mostLateSeconds
  const earlier = new Map(before.map((publication) => [publication.social_provider_id, publication]))

  const publications = post.accounts.map(({ id }) => {
    const previous = earlier.get(id)
    if (previous && !post.republish && isSettledForGood(previous)) return previous
    const base = {
      publication_id: nextId(),
      post_id: post.id,
      social_provider_id: id,
      provider_type: post.provider_types[id] ?? 'x',
      round,
    } as const
    const queued = queuePublication(base, previous, now)
    return late ? { ...queued, status: 'failed' as const, error: missed } : queued
  })
  const fresh = publications.filter((publication) => publication.round === round)
  const taken: Post = { ...post, status: 'publishing', round, republish: false, updated_at: now }
  return {
    post: finishIfDone({ ...taken, publications: summaries(post, publications) }, now),
    publications: fresh,
  }
}

/** Whether a publication of which nothing is out was left alone for too long, by an outage amid publishing. */
export const isMissed = ({ act_at, step, sent }: Publication, now: Instant): boolean =>
  sent.length === 0 && step !== 'armed' && secondsBetween(act_at, now) > mostLateSeconds

/** Never sent again by itself: it is out, or may be. */
const isSettledForGood = ({ status }: Publication) => status === 'published' || status === 'outcome_unknown'

/** In the order of the accounts; then what is out, or may be, on accounts that the post does not name any more. */
function summaries(post: Post, publications: Publication[]): PublicationSummary[] {
  const current = publications.map(summarise)
  const dropped = post.publications.filter(
    ({ social_provider_id: id, status }) =>
      (status === 'published' || status === 'outcome_unknown') &&
      !current.some((summary) => summary.social_provider_id === id),
  )
  return [...current, ...dropped]
}

/** The post with what its publication has become; finished when that was the last one open. */
export function recordPublication(post: Post, publication: Publication, now: Instant): Post {
  const summary = summarise(publication)
  const publications = post.publications.map((other) =>
    other.social_provider_id === summary.social_provider_id ? summary : other,
  )
  return finishIfDone({ ...post, publications, updated_at: now }, now)
}

function finishIfDone(post: Post, now: Instant): Post {
  const own = post.publications.filter(({ social_provider_id: id }) =>
    post.accounts.some((account) => account.id === id),
  )
  if (!own.every(isFinal)) return post
  const status: PostStatus = own.every((summary) => summary.status === 'published') ? 'published' : 'failed'
  return { ...post, status, published_at: status === 'published' ? now : null }
}
