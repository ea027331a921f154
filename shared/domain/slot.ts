/** A plan slot: a recurring time at which posts may go out. Local times and a zone; instants are in `occurrence.ts`. */
import * as v from 'valibot'
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import { plainObject } from './plain-object.ts'
import { isTimeZone } from './time-zone.ts'

export const intervals = ['daily', 'weekly', 'monthly'] as const

/** Every so many days, weeks or months from the anchor. */
export interface Recurrence {
  interval: (typeof intervals)[number]
  repeat_every: number
}

/** What its occurrences follow from. */
export interface SlotTimes {
  /** 0 = Sunday … 6 = Saturday. */
  week_day: number
  /** Local, HH:MM. */
  start_time: string
  end_time: string
  timezone: string
  recurrence: Recurrence
}

/** What a caller may write. */
export interface SlotFields extends SlotTimes {
  label_ids: Id<'label'>[]
  is_active: boolean
}

export interface Slot extends SlotFields {
  id: Id<'slot'>
  /** The local date from which the recurrence counts. */
  anchor: string
  /** Of the first occurrence after the last write. */
  utc_week_day: number
  utc_start_time: string
  utc_end_time: string
  created_at: Instant
  updated_at: Instant
  version: number
}

/** A limit of ours. */
const mostLabels = 100

const clockTime = (field: string) =>
  v.pipe(
    v.string(`${field} must be in HH:MM 24-hour format`),
    v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, `${field} must be in HH:MM 24-hour format`),
  )

const labelIds = 'label_ids must be an array of unique label IDs'
const timezone = 'timezone must be a valid IANA timezone'
const weekDay = 'week_day must be an integer between 0 and 6'
const interval = `recurrence.interval must be one of: ${intervals.join(', ')}`
const repeatEvery = 'recurrence.repeat_every must be an integer greater than or equal to 1'

/** An ID, or an object that carries it. */
const LabelId = v.pipe(
  v.union([v.string(), v.object({ id: v.string() })], labelIds),
  v.transform((given) => (typeof given === 'string' ? given : given.id) as Id<'label'>),
  v.nonEmpty(labelIds),
)

/** A value that is wrong in two ways is refused in one. */
const once = { abortPipeEarly: true }

/** The fields of a slot, each with the contract's messages. */
export const slotEntries = {
  week_day: v.config(
    v.pipe(v.number(weekDay), v.integer(weekDay), v.minValue(0, weekDay), v.maxValue(6, weekDay)),
    once,
  ),
  start_time: clockTime('start_time'),
  end_time: clockTime('end_time'),
  timezone: v.pipe(v.string(timezone), v.check(isTimeZone, timezone)),
  recurrence: plainObject(
    {
      interval: v.picklist(intervals, interval),
      repeat_every: v.config(
        v.pipe(v.number(repeatEvery), v.safeInteger(repeatEvery), v.minValue(1, repeatEvery)),
        once,
      ),
    },
    // What is missing inside is named; what is no object at all has no interval.
    ({ path }) => (path?.at(-1)?.key === 'repeat_every' ? repeatEvery : interval),
  ),
  label_ids: v.config(
    v.pipe(
      v.array(LabelId, labelIds),
      v.check((ids) => new Set(ids).size === ids.length, labelIds),
      v.maxLength(mostLabels, `label_ids must have at most ${mostLabels} items`),
    ),
    once,
  ),
  is_active: v.boolean('is_active must be true or false'),
}

/** The end must come after the start, on the same day. */
export const endsAfterStart = ({
  start_time,
  end_time,
}: Pick<SlotFields, 'start_time' | 'end_time'>): boolean => start_time < end_time

/** Rule 3 of assignment: without labels into slots without; with labels into slots that share one. */
export const admits = ({ label_ids }: Pick<Slot, 'label_ids'>, labels: Id<'label'>[]): boolean =>
  labels.length === 0 ? label_ids.length === 0 : label_ids.some((id) => labels.includes(id))

/** Whether both fall on the same dates, if they count from the same anchor. */
export const recursAlike = (one: SlotTimes, other: SlotTimes): boolean =>
  one.week_day === other.week_day &&
  one.timezone === other.timezone &&
  one.recurrence.interval === other.recurrence.interval &&
  one.recurrence.repeat_every === other.recurrence.repeat_every
