import { postIsBeingPublished } from '#shared/domain/post-change.ts'
import { owned } from '#shared/edge/owned.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { beingPublished } from './reference.ts'

/** Deletes a post: it is gone from every list, and does not go out any more. */
export const deletePost = route({
  method: 'DELETE',
  path: '/posts/{id}',
  access: 'key',
  summary: 'Delete a post',
  description: 'Answers the post as it was. What has been published stays on the networks.',
  reply: PostReply,
  refusals: [beingPublished],

  async handle({ caller, params, now }, { posts }) {
    const load = () => owned('post', params['id'], { ...caller, thing: 'Post', find: posts.find })
    const first = await load()
    for (let post = first; ; post = await load()) {
      // Or it went out between our two looks: this request was on its way to prevent that.
      if (post.status === 'publishing' || post.round !== first.round) throw postIsBeingPublished()
      if (await posts.remove(post, now)) return ok(showPost(post))
    }
  },
})
