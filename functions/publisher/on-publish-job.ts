import { PublishJob } from '#shared/domain/publish-job.ts'
import { onQueue } from '#shared/edge/on-queue.ts'
import { doPublishJob } from './do-publish-job.ts'

/** The publish queue: one job a message. */
export const handler = onQueue(PublishJob, doPublishJob)
