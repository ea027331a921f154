import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accountId, region, s3Client } from '../../infra/local/aws-clients.ts'
import { type Emulators, startEmulators } from '../../infra/local/emulators.ts'
import { objectEvents } from '../../infra/local/object-events.ts'
import { createBucket } from '../../infra/local/provision.ts'

let folder: string
let emulators: Emulators
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthaste-objects-'))
  emulators = await startEmulators({ folder })
  await createBucket(emulators.endpoints.s3, 'posthaste')
})
afterAll(async () => {
  await emulators.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Hears of objects under `uploads/`; its function fails as often as it is told to. */
function listen(failures = 0) {
  const events: object[] = []
  const call = async (event: object) => {
    events.push(event)
    if (events.length <= failures) throw new Error('not yet')
  }
  const delivery = objectEvents({ bucketName: 'posthaste', under: 'uploads/', call, pausesMs: [1, 1] })
  emulators.onObjectCreated((record) => delivery.hear(record))
  return { events, delivery }
}

const put = (Key: string, Body = 'bytes') =>
  s3Client(emulators.endpoints.s3).send(new PutObjectCommand({ Bucket: 'posthaste', Key, Body }))

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 10_000 })

test('an upload is told of as EventBridge does', async () => {
  const { events } = listen()
  const { ETag } = await put('uploads/cat & dog.png', 'four')
  await until(() => events.length === 1)
  expect(events[0]).toMatchObject({
    version: '0',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: accountId,
    region,
    resources: ['arn:aws:s3:::posthaste'],
    detail: {
      bucket: { name: 'posthaste' },
      object: { key: 'uploads/cat & dog.png', size: 4, etag: JSON.parse(ETag ?? '') },
      reason: 'PutObject',
    },
  })
})

test('only objects under the prefix are told of, copies among them', async () => {
  const { events } = listen()
  await put('media/other')
  const CopySource = 'posthaste/media/other'
  const copy = new CopyObjectCommand({ Bucket: 'posthaste', Key: 'uploads/copy', CopySource })
  await s3Client(emulators.endpoints.s3).send(copy)
  await until(() => events.length === 1)
  expect(events).toMatchObject([{ detail: { object: { key: 'uploads/copy' }, reason: 'CopyObject' } }])
})

test('a function that throws is called again with the same event, but not for ever', async () => {
  const recovering = listen(2)
  const hopeless = listen(99)
  await put('uploads/a')
  await until(() => recovering.events.length === 3 && hopeless.events.length === 3)
  await Promise.all([recovering.delivery.stop(), hopeless.delivery.stop()])
  expect(recovering.events[2]).toEqual(recovering.events[0])
  expect(hopeless.events).toHaveLength(3)
})
