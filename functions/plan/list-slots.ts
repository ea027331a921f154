import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SlotReply, showSlot } from '#shared/edge/slot-reply.ts'

/** Lists the caller's slots, newest first. */
export const listSlots = route({
  method: 'GET',
  path: '/plan/slots',
  access: 'key',
  summary: 'List plan slots, newest first',
  query: PageQuery,
  reply: pageOf(SlotReply),

  async handle({ caller, query, now }, { slots }) {
    const page = await slots.list(caller.owner, readPageRequest(query, 'slots'))
    return ok(toList(page, 'slots', (slot) => showSlot(slot, now)))
  },
})
