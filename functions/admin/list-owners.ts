import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { OwnerReply, showOwner } from './owner-schema.ts'

/** Lists the deployment's owners, newest first. */
export const listOwners = route({
  method: 'GET',
  path: '/admin/owners',
  access: 'operator',
  summary: 'List owners, newest first',
  query: PageQuery,
  reply: pageOf(OwnerReply),

  async handle({ query }, { owners }) {
    return ok(toList(await owners.list(readPageRequest(query, 'owners')), 'owners', showOwner))
  },
})
