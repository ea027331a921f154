import * as v from 'valibot'
import { postStatuses } from '#shared/domain/post.ts'
import { isOpen, readPostFilter, textOf } from '#shared/domain/post-filter.ts'
import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { PostReply, showPost } from '#shared/edge/post-reply.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

const listOf = (description: string) => v.optional(v.pipe(v.string(), v.description(description)))

/** Lists the caller's posts, newest first; deleted ones are not among them. */
export const listPosts = route({
  method: 'GET',
  path: '/posts',
  access: 'key',
  summary: 'List posts, newest first',
  description:
    'A post passes a filter by any of its values, and must pass every filter. A filtered page may be short, even empty, while `has_more` is true: go on with `next_cursor`.',
  query: v.object({
    ...PageQuery.entries,
    status: listOf(`Statuses, comma-separated: ${postStatuses.join(', ')}.`),
    labels: listOf('Up to 20 label IDs, comma-separated: posts with any of them.'),
    socials: listOf('Up to 20 social account IDs, comma-separated: posts for any of them.'),
  }),
  reply: pageOf(PostReply),
  refusals: [
    {
      status: 400,
      when: '`status` names something else than a status, or a filter has too many values',
      messages: ['Invalid status filter', 'labels must name at most 20 IDs'],
    },
  ],

  async handle({ caller, query }, { posts }) {
    const filter = readPostFilter(query)
    const list = isOpen(filter) ? 'posts' : `posts ${textOf(filter)}`
    const page = await posts.list(caller.owner, readPageRequest(query, list), filter)
    return ok(toList(page, list, showPost))
  },
})
