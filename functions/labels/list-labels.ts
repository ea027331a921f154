import { LabelReply, showLabel } from '#shared/edge/label-reply.ts'
import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Lists the caller's labels, newest first. */
export const listLabels = route({
  method: 'GET',
  path: '/labels',
  access: 'key',
  summary: 'List labels, newest first',
  query: PageQuery,
  reply: pageOf(LabelReply),

  async handle({ caller, query }, { labels }) {
    const page = await labels.list(caller.owner, readPageRequest(query, 'labels'))
    return ok(toList(page, 'labels', showLabel))
  },
})
