import * as v from 'valibot'
import type { Id } from '#shared/domain/id.ts'
import { fields } from '#shared/edge/fields.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { assignInTurn } from './assign-in-turn.ts'

const mostPosts = 100

const PostId = v.pipe(
  v.string('Each post ID must be a string'),
  v.transform((id) => id as Id<'post'>),
)

const PostIds = v.pipe(
  v.array(PostId, 'post_ids must be an array'),
  v.nonEmpty('post_ids must not be empty'),
  v.maxLength(mostPosts, `post_ids must have at most ${mostPosts} items`),
  v.rawCheck(({ dataset, addIssue }) => {
    const twice = dataset.typed ? firstRepeated(dataset.value) : undefined
    if (twice !== undefined) addIssue({ message: `Duplicate post ID "${twice}"` })
  }),
)

/** Puts drafts into the next free occurrences of the plan, in the order of the request. */
export const assignNext = route({
  method: 'POST',
  path: '/plan/assign-next',
  access: 'key',
  summary: 'Assign drafts to the next free slot occurrences',
  description:
    'Answers 200 whenever the request is well formed: each item says whether its post was assigned, and why not.',
  body: fields({ post_ids: PostIds }),
  reply: v.object({
    items: v.array(
      v.object({
        post_id: v.string(),
        success: v.boolean(),
        data: v.nullable(PostReply),
        message: v.nullable(v.string()),
      }),
    ),
  }),
  refusals: [
    {
      status: 400,
      when: 'The request is not well formed',
      messages: [
        'post_ids is required',
        'post_ids must be an array',
        'post_ids must not be empty',
        'Each post ID must be a string',
        'Duplicate post ID "…"',
      ],
    },
  ],
  examples: { body: { post_ids: ['post_4Z7K2M9QWX01JE3Z5W8R0000000000000000'] } },

  async handle({ caller, body }, services) {
    const results = await assignInTurn(caller.owner, body.post_ids, services)
    const items = body.post_ids.map((post_id) => {
      const result = results.get(post_id)
      return result?.kind === 'assigned'
        ? { post_id, success: true, data: showPost(result.post), message: null }
        : { post_id, success: false, data: null, message: result?.why ?? 'No available slot' }
    })
    return ok({ items })
  },
})

function firstRepeated(ids: string[]): string | undefined {
  const seen = new Set<string>()
  return ids.find((id) => seen.size === seen.add(id).size)
}
