import { changePost as decideChange, postIsBeingPublished } from '#shared/domain/post-change.ts'
import { inSnakeCase, PostInput } from '#shared/domain/post-input.ts'
import { referencesOf } from '#shared/domain/reference.ts'
import { owned } from '#shared/edge/owned.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { commitScheduled } from '#shared/edge/schedule-post.ts'
import { beingPublished, exampleInput, writeRefusals } from './reference.ts'

/** Changes the fields that are sent. The last writer wins, field by field; a race with the publisher is lost or 409. */
export const changePost = route({
  method: 'PATCH',
  path: '/posts/{id}',
  access: 'key',
  summary: 'Change a post',
  description:
    'Fields that are sent replace what is stored; `scheduled_at: null` and `status: draft` unschedule.',
  body: PostInput,
  beforeParsing: inSnakeCase,
  partial: true,
  reply: PostReply,
  refusals: [...writeRefusals, beingPublished],
  examples: { body: { text: exampleInput.text } },

  async handle({ caller, params, body, now }, services) {
    const { references, posts } = services
    const load = () => owned('post', params['id'], { ...caller, thing: 'Post', find: posts.find })
    const [first, resolve] = await Promise.all([load(), references.find(caller.owner, referencesOf(body))])

    for (let before = first; ; before = await load()) {
      // It went out between our two looks: this request was on its way to change that.
      if (before.round !== first.round) throw postIsBeingPublished()
      const post = decideChange(before, body, { now, ...resolve(referencesOf(before)) })
      const commit = (wakeAt: typeof now | undefined) => posts.save(post, before, wakeAt)
      if (await commitScheduled(post, commit, { now, services })) return ok(showPost(post))
    }
  },
})
