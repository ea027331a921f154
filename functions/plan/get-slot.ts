import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SlotReply, showSlot } from '#shared/edge/slot-reply.ts'

/** Reads one slot. */
export const getSlot = route({
  method: 'GET',
  path: '/plan/slots/{id}',
  access: 'key',
  summary: 'Get a plan slot',
  reply: SlotReply,

  async handle({ caller, params, now }, { slots }) {
    return ok(
      showSlot(await owned('slot', params['id'], { ...caller, thing: 'Slot', find: slots.find }), now),
    )
  },
})
