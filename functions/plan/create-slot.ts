import { anchorFor, utcTimes } from '#shared/domain/occurrence.ts'
import { invalidField } from '#shared/domain/problem.ts'
import type { Slot } from '#shared/domain/slot.ts'
import { endsAfterStart } from '#shared/domain/slot.ts'
import { created } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SlotReply, showSlot } from '#shared/edge/slot-reply.ts'
import { endBeforeStart, exampleSlot, SlotInput, slotRefusals } from './slot-schema.ts'

/** Creates a recurring slot. Without a time zone it gets its owner's. */
export const createSlot = route({
  method: 'POST',
  path: '/plan/slots',
  access: 'key',
  summary: 'Create a plan slot',
  description: '`timezone` falls back to the owner’s, then to UTC.',
  body: SlotInput,
  reply: SlotReply,
  status: 201,
  refusals: slotRefusals,
  examples: { body: exampleSlot },

  async handle({ caller, body, now }, { slots, references, nextId }) {
    if (!endsAfterStart(body)) throw invalidField('end_time', endBeforeStart)
    const named = await references.find(caller.owner, { media: [], accounts: [], labels: body.label_ids })
    const { settings } = named()
    const fields = { ...body, timezone: body.timezone ?? settings.timezone }
    const recurring = { ...fields, anchor: anchorFor(fields, now) }
    const slot: Slot = {
      ...recurring,
      ...utcTimes(recurring, now),
      id: nextId('slot', caller.owner, now),
      created_at: now,
      updated_at: now,
      version: 0,
    }
    await slots.create(slot)
    return created(showSlot(slot, now))
  },
})
