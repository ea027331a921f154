/** The Lambda behind a queue: one job per message. Only the jobs that threw are delivered again. */
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { log } from '#shared/log.ts'
import type { Services } from '#shared/services.ts'
import { liveServices } from '#shared/services.ts'

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>

export const onQueue =
  <Job extends v.GenericSchema>(
    job: Job,
    work: (job: v.InferOutput<Job>, services: Services) => Promise<void>,
    open: () => Services = liveServices,
  ): QueueHandler =>
  async (event, context) => {
    const handleRecord = async ({ body, messageId }: SQSRecord) => {
      try {
        await work(v.parse(job, JSON.parse(body)), open())
      } catch (error) {
        log.error('job failed', { error: error as Error, message_id: messageId })
        throw error
      }
    }
    return processPartialResponse(event, handleRecord, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    })
  }
