/** Who holds an occurrence. Apart from `occurrence.ts`, because the store needs it without Temporal. */
import type { Id } from './id.ts'
import type { Instant } from './instant.ts'
import type { Occurrence } from './occurrence.ts'

/** A post that holds an occurrence, or held it before the slot's times were changed. */
export interface Holding {
  slot_id: Id<'slot'>
  /** Local, YYYY-MM-DD. */
  date: string
  post_id: Id<'post'>
  scheduled_at: Instant
}

/** What names an occurrence within its owner. */
export const occurrenceName = ({ slot_id, date }: Pick<Holding, 'slot_id' | 'date'>): string =>
  `${date}#${slot_id}`

/** Whether the holder's time lies inside the occurrence; one that does not is left over from other times of the slot. */
export const blocks = (
  { scheduled_at }: Pick<Holding, 'scheduled_at'>,
  { start, end }: Pick<Occurrence, 'start' | 'end'>,
): boolean => scheduled_at >= start && scheduled_at < end
