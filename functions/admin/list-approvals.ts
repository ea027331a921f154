import { ownerCodeOf } from '#shared/domain/id.ts'
import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Lists an owner's posts that wait for approval, newest first. */
export const listApprovals = route({
  method: 'GET',
  path: '/admin/owners/{owner}/approvals',
  access: 'operator',
  summary: 'List posts that wait for approval, newest first',
  query: PageQuery,
  reply: pageOf(PostReply),

  async handle({ params, query }, { owners, posts }) {
    const owner = await owners.get(params['owner'] ?? '')
    const page = await posts.listPending(ownerCodeOf(owner.id), readPageRequest(query, 'approvals'))
    return ok(toList(page, 'approvals', showPost))
  },
})
