import { ownerCodeOf } from '#shared/domain/id.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { OwnerReply, showOwner } from './owner-schema.ts'

/** Removes an owner. Its keys go first, so that a removal that was cut short leaves nothing open and can be repeated. */
export const deleteOwner = route({
  method: 'DELETE',
  path: '/admin/owners/{owner}',
  access: 'operator',
  summary: 'Delete an owner',
  description: 'Its keys stop working and nothing of it goes out any more. Answers the owner as it was.',
  reply: OwnerReply,

  async handle({ params }, { owners, apiKeys }) {
    const owner = await owners.get(params['owner'] ?? '')
    await apiKeys.removeAll(ownerCodeOf(owner.id))
    await owners.remove(owner)
    return ok(showOwner(owner))
  },
})
