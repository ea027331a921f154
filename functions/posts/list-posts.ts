import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Lists the caller's posts, newest first; deleted ones are not among them. */
export const listPosts = route({
  method: 'GET',
  path: '/posts',
  access: 'key',
  summary: 'List posts, newest first',
  query: PageQuery,
  reply: pageOf(PostReply),

  async handle({ caller, query }, { posts }) {
    const page = await posts.list(caller.owner, readPageRequest(query, 'posts'))
    return ok(toList(page, 'posts', showPost))
  },
})
