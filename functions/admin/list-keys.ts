import { ownerCodeOf } from '#shared/domain/id.ts'
import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { KeyReply, showKey } from './key-schema.ts'

/** Lists an owner's API keys, newest first, without what opens anything. */
export const listKeys = route({
  method: 'GET',
  path: '/admin/owners/{owner}/keys',
  access: 'operator',
  summary: 'List API keys, newest first',
  query: PageQuery,
  reply: pageOf(KeyReply),

  async handle({ params, query }, { owners, apiKeys }) {
    const owner = await owners.get(params['owner'] ?? '')
    const page = await apiKeys.list(ownerCodeOf(owner.id), readPageRequest(query, 'keys'))
    return ok(toList(page, 'keys', showKey))
  },
})
