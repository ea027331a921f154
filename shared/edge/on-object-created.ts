/** The Lambda behind S3's "Object Created", as EventBridge sends it: at least once, in no order, without a type. */
import type { EventBridgeEvent } from 'aws-lambda'
import { log } from '#shared/log.ts'
import type { Services } from '#shared/services.ts'
import { liveServices } from '#shared/services.ts'

/** What S3 says of a new object. */
export interface ObjectCreated {
  /** As the bucket has it: not URL-encoded. */
  key: string
  size: number
  etag: string
  /** Of two events of one key, the one with the greater sequencer is the later one. */
  sequencer: string
}

type ObjectCreatedEvent = EventBridgeEvent<'Object Created', { object: ObjectCreated }>

/** What throws is delivered again. */
export const onObjectCreated =
  (work: (object: ObjectCreated, services: Services) => Promise<void>, open: () => Services = liveServices) =>
  async ({ detail }: ObjectCreatedEvent): Promise<void> => {
    try {
      await work(detail.object, open())
    } catch (error) {
      log.error('object could not be taken in', error as Error)
      throw error
    }
  }
