import type { Instant } from '#shared/domain/instant.ts'
import { anchorFor, utcTimes } from '#shared/domain/occurrence.ts'
import { invalidField } from '#shared/domain/problem.ts'
import type { Slot, SlotFields } from '#shared/domain/slot.ts'
import { endsAfterStart, recursAlike } from '#shared/domain/slot.ts'
import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SlotReply, showSlot } from '#shared/edge/slot-reply.ts'
import { endBeforeStart, exampleSlot, SlotPatch, slotRefusals } from './slot-schema.ts'

/** Changes the fields that are sent; the local times stay when only the time zone is. */
export const changeSlot = route({
  method: 'PATCH',
  path: '/plan/slots/{id}',
  access: 'key',
  summary: 'Change a plan slot',
  description: 'Posts in occurrences of the slot keep their time.',
  body: SlotPatch,
  partial: true,
  reply: SlotReply,
  refusals: slotRefusals,
  examples: { body: { timezone: exampleSlot.timezone } },

  async handle({ caller, params, body, now }, { slots, references }) {
    const load = () => owned('slot', params['id'], { ...caller, thing: 'Slot', find: slots.find })
    const labels = body.label_ids ?? []
    const [first, named] = await Promise.all([
      load(),
      references.find(caller.owner, { media: [], accounts: [], labels }),
    ])

    for (let before = first; ; before = await load()) {
      const slot = changed(before, body, now)
      named({ media: [], accounts: [], labels: before.label_ids })
      if (await slots.save(slot)) return ok(showSlot(slot, now))
    }
  },
})

/** The slot with the fields that were sent. What it recurs by counts anew only if it is other than it was. */
function changed(before: Slot, fields: Partial<SlotFields>, now: Instant): Slot {
  const merged: Slot = { ...before, ...fields, updated_at: now }
  if (!endsAfterStart(merged)) throw invalidField('end_time', endBeforeStart)
  const anchor = recursAlike(before, merged) ? before.anchor : anchorFor(merged, now)
  return { ...merged, anchor, ...utcTimes({ ...merged, anchor }, now) }
}
