import { ownerCodeOf } from '#shared/domain/id.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { KeyReply, showKey } from './key-schema.ts'

/** Revokes an API key. Functions that have just seen it may trust it for up to 30 seconds more. */
export const deleteKey = route({
  method: 'DELETE',
  path: '/admin/owners/{owner}/keys/{id}',
  access: 'operator',
  summary: 'Revoke an API key',
  description: 'Within 30 seconds it opens nothing any more. Answers the key as it was.',
  reply: KeyReply,

  async handle({ params }, { owners, apiKeys }) {
    const owner = await owners.get(params['owner'] ?? '')
    return ok(showKey(await apiKeys.remove(ownerCodeOf(owner.id), params['id'] ?? '')))
  },
})
