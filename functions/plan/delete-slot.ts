import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SlotReply, showSlot } from '#shared/edge/slot-reply.ts'

/** Deletes a slot. Posts that were assigned to it go out as they were to. */
export const deleteSlot = route({
  method: 'DELETE',
  path: '/plan/slots/{id}',
  access: 'key',
  summary: 'Delete a plan slot',
  description: 'Only the definition: posts in its occurrences are not changed. Answers the slot as it was.',
  reply: SlotReply,

  async handle({ caller, params, now }, { slots }) {
    const slot = await owned('slot', params['id'], { ...caller, thing: 'Slot', find: slots.find })
    await slots.remove(slot)
    return ok(showSlot(slot, now))
  },
})
