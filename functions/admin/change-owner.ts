import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { OwnerPatch, OwnerReply, showOwner } from './owner-schema.ts'

/** Changes an owner's name, type and settings: each setting that is sent, by itself. */
export const changeOwner = route({
  method: 'PATCH',
  path: '/admin/owners/{owner}',
  access: 'operator',
  summary: 'Change an owner',
  body: OwnerPatch,
  partial: true,
  reply: OwnerReply,
  examples: { body: { settings: { requires_approval: true } } },

  async handle({ params, body, now }, { owners }) {
    const { id } = await owners.get(params['owner'] ?? '')
    return ok(showOwner(await owners.change(id, { ...body, updated_at: now })))
  },
})
