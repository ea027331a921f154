/** The Lambda behind the table's stream: one call for each changed item, in order; it stops at the first that threw. */
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { log } from '#shared/log.ts'
import type { Services } from '#shared/services.ts'
import { liveServices } from '#shared/services.ts'

/** Which item changed. */
export interface ItemChange {
  key: { pk: string; sk: string }
}

export type StreamHandler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>

/** What fails is delivered again, with all that came after it: the work must bear repetition. */
export const onChange =
  (
    work: (change: ItemChange, services: Services) => Promise<void>,
    open: () => Services = liveServices,
  ): StreamHandler =>
  async ({ Records }) => {
    for (const { dynamodb } of Records) {
      const [pk = '', sk = ''] = [dynamodb?.Keys?.['pk']?.S, dynamodb?.Keys?.['sk']?.S]
      try {
        await work({ key: { pk, sk } }, open())
      } catch (error) {
        log.error('change could not be followed', error as Error)
        return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] }
      }
    }
    return { batchItemFailures: [] }
  }
