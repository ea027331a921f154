import * as v from 'valibot'
import type { Instant } from '#shared/domain/instant.ts'
import { nextOccurrence } from '#shared/domain/occurrence.ts'
import type { Slot } from '#shared/domain/slot.ts'
import { intervals } from '#shared/domain/slot.ts'
import { InstantReply } from './fields.ts'

const ClockTime = v.pipe(v.string(), v.examples(['09:00']))
const WeekDay = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6))

/** A slot, as callers see it. */
export const SlotReply = v.object({
  id: v.pipe(v.string(), v.examples(['slot_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
  week_day: WeekDay,
  start_time: ClockTime,
  end_time: ClockTime,
  timezone: v.pipe(v.string(), v.examples(['Europe/Paris'])),
  label_ids: v.array(v.string()),
  recurrence: v.object({ interval: v.picklist(intervals), repeat_every: v.pipe(v.number(), v.integer()) }),
  is_active: v.boolean(),
  utc_week_day: WeekDay,
  utc_start_time: ClockTime,
  utc_end_time: ClockTime,
  next_occurrence: v.pipe(
    v.nullable(v.object({ start: InstantReply, end: InstantReply })),
    v.description('The first that starts after now, taken or not.'),
  ),
  created_at: InstantReply,
  updated_at: InstantReply,
})

export function showSlot(slot: Slot, now: Instant) {
  const next = nextOccurrence(slot, now)
  return {
    id: slot.id,
    week_day: slot.week_day,
    start_time: slot.start_time,
    end_time: slot.end_time,
    timezone: slot.timezone,
    label_ids: slot.label_ids,
    recurrence: slot.recurrence,
    is_active: slot.is_active,
    utc_week_day: slot.utc_week_day,
    utc_start_time: slot.utc_start_time,
    utc_end_time: slot.utc_end_time,
    next_occurrence: next && { start: next.start, end: next.end },
    created_at: slot.created_at,
    updated_at: slot.updated_at,
  }
}
