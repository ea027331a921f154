import { approvePost as decideApproval } from '#shared/domain/approval.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { decidePost, notPending } from './decide-post.ts'

/** Approves a post: it goes out at its time, or at once when that has passed. */
export const approvePost = route({
  method: 'POST',
  path: '/admin/owners/{owner}/posts/{id}/approve',
  access: 'operator',
  summary: 'Approve a post',
  reply: PostReply,
  refusals: [notPending],

  async handle({ params, now }, services) {
    return ok(showPost(await decidePost(params, (post) => decideApproval(post, now), { now, services })))
  },
})
