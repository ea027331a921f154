import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountId, region } from './aws-clients.ts'
import type { Call } from './lambda.ts'
import type { ObjectRecord } from './s3-emulator.ts'

export interface ObjectEventsOptions {
  bucketName: string
  /** Only objects whose key begins so. */
  under: string
  call: Call
  /** Before each further try, in milliseconds. */
  pausesMs?: number[]
}

/**
 * Calls a function for every object created under a prefix, as EventBridge does: at least once, in no order, a few
 * times when it throws. `stop` waits for the calls under way.
 */
export function objectEvents({ bucketName, under, call, pausesMs = [200, 1000, 5000] }: ObjectEventsOptions) {
  const underWay = new Set<Promise<void>>()
  return {
    hear(record: ObjectRecord): void {
      if (record.s3.bucket.name !== bucketName || !record.s3.object.key.startsWith(under)) return
      const work = deliver(toObjectCreated(record), call, pausesMs).finally(() => underWay.delete(work))
      underWay.add(work)
    },
    async stop() {
      await Promise.all(underWay)
    },
  }
}

async function deliver(event: object, call: Call, pausesMs: number[]): Promise<void> {
  for (const pauseMs of [0, ...pausesMs]) {
    await sleep(pauseMs)
    const isDone = await call(event).then(
      () => true,
      () => false,
    )
    if (isDone) return
  }
}

/** EventBridge's "Object Created" for an object that s3rver has written. */
const toObjectCreated = ({
  s3,
  eventName,
  eventTime,
  responseElements,
  requestParameters,
}: ObjectRecord) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Object Created',
  source: 'aws.s3',
  account: accountId,
  time: eventTime.replace(/\.\d+/, ''),
  region,
  resources: [`arn:aws:s3:::${s3.bucket.name}`],
  detail: {
    version: '0',
    bucket: { name: s3.bucket.name },
    object: {
      key: s3.object.key,
      size: s3.object.size,
      etag: s3.object.eTag,
      sequencer: s3.object.sequencer,
    },
    'request-id': responseElements['x-amz-request-id'],
    requester: accountId,
    'source-ip-address': requestParameters.sourceIPAddress,
    reason: reasons[eventName],
  },
})

// s3rver calls the completion of a multipart upload a post, too.
const reasons: Record<string, string> = {
  'ObjectCreated:Put': 'PutObject',
  'ObjectCreated:Copy': 'CopyObject',
  'ObjectCreated:Post': 'CompleteMultipartUpload',
}
