import * as v from 'valibot'
import { slotEntries } from '#shared/domain/slot.ts'
import { fields } from '#shared/edge/fields.ts'
import type { Refusal } from '#shared/edge/route.ts'

export const SlotInput = fields({
  ...slotEntries,
  timezone: v.optional(slotEntries.timezone),
  label_ids: v.optional(slotEntries.label_ids, []),
  is_active: v.optional(slotEntries.is_active, true),
})

export const SlotPatch = v.partial(v.object(slotEntries))

export const endBeforeStart = 'end_time must be later than start_time on the same day'

export const slotRefusals: Refusal[] = [
  {
    status: 400,
    when: 'A field is not acceptable',
    messages: [
      'week_day must be an integer between 0 and 6',
      'start_time must be in HH:MM 24-hour format',
      'end_time must be in HH:MM 24-hour format',
      endBeforeStart,
      'timezone must be a valid IANA timezone',
      'recurrence.interval must be one of: daily, weekly, monthly',
      'recurrence.repeat_every must be an integer greater than or equal to 1',
      'label_ids must be an array of unique label IDs',
      'One or more labels were not found',
    ],
  },
  { status: 403, when: 'A label belongs to another owner', messages: ['Access denied'] },
]

export const exampleSlot = {
  week_day: 1,
  start_time: '09:00',
  end_time: '10:00',
  timezone: 'Europe/Paris',
  recurrence: { interval: 'weekly', repeat_every: 1 },
}
