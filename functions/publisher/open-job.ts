import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Post, PostContent } from '#shared/domain/post.ts'
import { contentFor } from '#shared/domain/post.ts'
import type { Publication } from '#shared/domain/publication.ts'
import { providerCallSeconds } from '#shared/domain/publication-steps.ts'
import type { Social } from '#shared/domain/social.ts'
import type { Provider, PublishJob } from '#shared/providers/provider.ts'
import { ProviderProblem } from '#shared/providers/provider.ts'
import type { Services } from '#shared/services.ts'

/** The parts that the account gets, in order: the post itself, then each reply. */
export function partsOf(
  post: Post,
  { social_provider_id }: Publication,
): Pick<PostContent, 'text' | 'media'>[] {
  const { text, media, subposts } = contentFor(post, social_provider_id)
  return [{ text, media }, ...subposts]
}

/** The network's adapter, and the job for the part at hand. Problems of the account are thrown as the network's are. */
export async function openJob(
  publication: Publication,
  post: Post,
  { services, record }: { services: Services; record: PublishJob['record'] },
): Promise<{ provider: Provider; job: PublishJob }> {
  const { cipher, clock } = services
  const social = await usableAccount(publication, services)
  const content = contentFor(post, social.id)
  const part = publication.sent.length
  const { text, media } = partsOf(post, publication)[part] ?? content
  if (media.length > 0)
    throw new ProviderProblem('permanent', 'MEDIA_MISSING', 'Media of the post does not exist any more')
  const provider = await services.providerFor(social)
  const job: PublishJob = {
    account: {
      id: social.id,
      type: social.provider_type,
      username: social.username,
      boardId: post.accounts.find(({ id }) => id === social.id)?.board_id ?? null,
      credentials: social.credentials ? JSON.parse(await cipher.open(social.credentials, social.id)) : {},
      sandboxBehavior: social.sandbox_behavior,
    },
    publishType: post.publish_type,
    part,
    text: text ?? '',
    media: [],
    thumbnail: null,
    fields: { ...post, ...content },
    sent: publication.sent,
    marker: `${publication.publication_id}.${publication.round}.${part}`,
    attempt: publication.attempts,
    now: clock.now(),
    dueAt: post.scheduled_at ?? post.updated_at,
    handles: publication.handles,
    record,
    signal: AbortSignal.timeout(providerCallSeconds * 1_000),
  }
  return { provider, job }
}

async function usableAccount(
  { social_provider_id, step }: Publication,
  { socials, owners }: Services,
): Promise<Social> {
  const [social, owner] = await Promise.all([
    socials.find(social_provider_id),
    owners.find(ownerCodeOf(social_provider_id)),
  ])
  // What may be out already is still looked for.
  if (!owner && step !== 'armed')
    throw new ProviderProblem('permanent', 'OWNER_REMOVED', 'The owner was removed')
  if (!social)
    throw new ProviderProblem('permanent', 'ACCOUNT_REMOVED', 'The account is not connected any more')
  if (social.status === 'pending') {
    throw new ProviderProblem('permanent', 'ACCOUNT_PENDING', 'Connecting the account is not finished')
  }
  if (social.status === 'needs_reconnect') {
    throw new ProviderProblem('reauth', 'AUTH_EXPIRED', 'The account must be connected again')
  }
  return social
}
