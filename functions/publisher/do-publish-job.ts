import type { PublishJob } from '#shared/domain/publish-job.ts'
import type { Services } from '#shared/services.ts'
import { publishOn } from './publish-on.ts'
import { takePost } from './take-post.ts'

/** Does what a job asks for, if it is still to be done: jobs come late, twice, and after they were overtaken. */
export async function doPublishJob(job: PublishJob, services: Services): Promise<void> {
  if (job.kind === 'post') await takePost(job, services)
  else await publishOn(job, services)
}
