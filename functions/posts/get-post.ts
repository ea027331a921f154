import { owned } from '#shared/edge/owned.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Reads one post, as of now. */
export const getPost = route({
  method: 'GET',
  path: '/posts/{id}',
  access: 'key',
  summary: 'Get a post',
  reply: PostReply,

  async handle({ caller, params }, { posts }) {
    return ok(showPost(await owned('post', params['id'], { ...caller, thing: 'Post', find: posts.find })))
  },
})
