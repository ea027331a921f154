import * as v from 'valibot'
import { rejectPost as decideRejection } from '#shared/domain/approval.ts'
import { characters } from '#shared/domain/post-input.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { decidePost, notPending } from './decide-post.ts'

const Reason = v.nullish(
  v.pipe(
    v.string('reason must be a string or null'),
    v.check((text) => characters(text) <= 1_000, 'reason must be at most 1,000 characters'),
  ),
  null,
)

/** Rejects a post: a draft again, out of its slot, with the reason on it. */
export const rejectPost = route({
  method: 'POST',
  path: '/admin/owners/{owner}/posts/{id}/reject',
  access: 'operator',
  summary: 'Reject a post',
  body: v.object({ reason: Reason }),
  bodyOptional: true,
  reply: PostReply,
  refusals: [notPending],
  examples: { body: { reason: 'The link is wrong' } },

  async handle({ params, body, now }, services) {
    const decide = (post: Parameters<typeof decideRejection>[0]) => decideRejection(post, body.reason, now)
    return ok(showPost(await decidePost(params, decide, { now, services })))
  },
})
