import { createPost as decidePost } from '#shared/domain/post-change.ts'
import { inSnakeCase, PostInput } from '#shared/domain/post-input.ts'
import { referencesOf } from '#shared/domain/reference.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { created } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { commitScheduled } from '#shared/edge/schedule-post.ts'
import { exampleInput, writeRefusals } from './reference.ts'

/** Creates a post: a draft, or one that goes out at its time. */
export const createPost = route({
  method: 'POST',
  path: '/posts',
  access: 'key',
  summary: 'Create a post',
  description: 'A draft unless `status` is `scheduled`, which needs `accounts` and a future `scheduled_at`.',
  body: PostInput,
  beforeParsing: inSnakeCase,
  reply: PostReply,
  status: 201,
  refusals: writeRefusals,
  examples: { body: exampleInput },

  async handle({ caller, body, now }, services) {
    const { references, posts, nextId } = services
    const resolve = await references.find(caller.owner, referencesOf(body))
    const post = decidePost(nextId('post', caller.owner, now), body, { now, ...resolve() })

    const commit = async (wakeAt: typeof now | undefined) => {
      await posts.create(post, wakeAt)
      return true
    }
    await commitScheduled(post, commit, { now, services })
    return created(showPost(post))
  },
})
