import type { Id } from '#shared/domain/id.ts'
import { all, any, lessThan, missing, present } from '../aws/condition.ts'
import type { Table } from '../aws/table.ts'
import { uploadKey } from './layout.ts'

export type UploadStore = ReturnType<typeof uploadStore>

/** The object that lies under an upload's key now. */
export interface Arrival {
  size: number
  etag: string
  /** Orders the arrivals of one key. */
  sequencer: string
}

/** Upload sessions. */
export const uploadStore = (table: Table) => ({
  /** Notes what arrived, unless a later arrival is noted already; an event without a session changes nothing. */
  async noteArrival(id: Id<'upload'>, arrival: Arrival): Promise<void> {
    await table.update(uploadKey(id), {
      set: { arrival },
      when: all(present, any(missing('arrival'), lessThan('arrival.sequencer', arrival.sequencer))),
    })
  },
})
