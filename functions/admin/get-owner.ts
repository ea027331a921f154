import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { OwnerReply, showOwner } from './owner-schema.ts'

/** Reads one owner. */
export const getOwner = route({
  method: 'GET',
  path: '/admin/owners/{owner}',
  access: 'operator',
  summary: 'Get an owner',
  reply: OwnerReply,

  async handle({ params }, { owners }) {
    return ok(showOwner(await owners.get(params['owner'] ?? '')))
  },
})
