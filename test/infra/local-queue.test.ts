import { randomBytes } from 'node:crypto'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { accountId, region, sqsClient } from '../../infra/local/aws-clients.ts'
import { createQueues } from '../../infra/local/provision.ts'
import { pollQueue } from '../../infra/local/queue-poller.ts'

const { sqs: endpoint } = inject('endpoints')
const client = sqsClient(endpoint)
afterAll(() => client.destroy())

const fresh = () => `q-${randomBytes(6).toString('hex')}`
const until = (condition: () => unknown) => vi.waitUntil(condition, { timeout: 20_000 })

/** A queue whose messages come back after a second, and end in its dead letters after two deliveries. */
async function openQueue() {
  const name = fresh()
  const { QueueUrl: failures } = await client.send(new CreateQueueCommand({ QueueName: `${name}-failures` }))
  const deadLetterTargetArn = `arn:aws:sqs:${region}:${accountId}:${name}-failures`
  const Attributes = {
    VisibilityTimeout: '1',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }),
  }
  await client.send(new CreateQueueCommand({ QueueName: name, Attributes }))
  return { name, url: `${endpoint}/${accountId}/${name}`, failures: failures ?? '' }
}

const send = (QueueUrl: string, ...bodies: string[]) =>
  Promise.all(bodies.map((MessageBody) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }))))

/** Messages that wait or are out: what the queue still has. */
async function left(QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  )
  return (
    Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible)
  )
}

/** Polls with a function that is given each batch; it ends with the test. */
function poll(queueUrl: string, batchSize: number, work: (records: SQSRecord[]) => Promise<unknown>) {
  const poller = pollQueue({
    endpoint,
    queueUrl,
    batchSize,
    call: (event) => work((event as SQSEvent).Records),
  })
  onTestFinished(() => poller.stop())
  return poller
}

test('a message that was worked on is deleted, with all its facts handed over', async () => {
  const { url, name } = await openQueue()
  const records: SQSRecord[] = []
  poll(url, 1, async (batch) => void records.push(...batch))
  const MessageAttributes = { tone: { DataType: 'String', StringValue: 'warm' } }
  await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'hello', MessageAttributes }))

  await until(async () => records.length === 1 && (await left(url)) === 0)
  expect(records[0]).toMatchObject({
    body: 'hello',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${name}`,
    awsRegion: region,
    messageAttributes: { tone: { dataType: 'String', stringValue: 'warm' } },
    attributes: { ApproximateReceiveCount: '1' },
  })
  expect(records[0]?.attributes.SentTimestamp).toMatch(/^\d+$/)
})

test('of a batch, only the message that failed comes back, and ends in the dead letters', async () => {
  const { url, failures } = await openQueue()
  await send(url, 'good', 'bad', 'fine')
  const deliveries: string[] = []
  poll(url, 10, async (records) => {
    deliveries.push(...records.map(({ body }) => body))
    const failed = records.filter(({ body }) => body === 'bad')
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }
  })

  await until(async () => (await left(failures)) === 1)
  expect(deliveries.toSorted()).toEqual(['bad', 'bad', 'fine', 'good'])
  expect(await left(url)).toBe(0)
  const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: failures }))
  expect(Messages.map(({ Body }) => Body)).toEqual(['bad'])
})

test.each([
  { how: 'throws', answer: async () => Promise.reject(new Error('no')) },
  {
    how: 'names a message that it was not given',
    answer: async () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] }),
  },
])('a function that $how has failed at the whole batch', async ({ answer }) => {
  const { url, failures } = await openQueue()
  await send(url, 'one', 'two')
  poll(url, 10, answer)
  await until(async () => (await left(failures)) === 2)
  expect(await left(url)).toBe(0)
})

test('ten batches are worked on at once, not more', async () => {
  const { url } = await openQueue()
  const release = Promise.withResolvers<void>()
  let atOnce = 0
  let most = 0
  poll(url, 1, async () => {
    most = Math.max(most, ++atOnce)
    await release.promise
    atOnce--
  })
  await send(url, ...Array.from({ length: 12 }, (_, index) => String(index)))
  await until(() => atOnce === 10)
  release.resolve()
  await until(async () => (await left(url)) === 0)
  expect(most).toBe(10)
})

test('stopping waits for the work under way, and takes no more', async () => {
  const { url } = await openQueue()
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const poller = poll(url, 1, async () => {
    started.resolve()
    await release.promise
  })
  await send(url, 'first')
  await started.promise
  const stopped = poller.stop()
  release.resolve()
  await stopped
  expect(await left(url)).toBe(0)
  await send(url, 'second')
  expect(await left(url)).toBe(1)
})

test('the queues of the map are made with their dead letters, and made again without harm', async () => {
  const prefix = `${fresh()}-`
  const { publish } = await createQueues(endpoint, prefix)
  await send(publish, 'kept')
  expect(await createQueues(endpoint, prefix)).toEqual({ publish })
  expect(await left(publish)).toBe(1)
  const AttributeNames = ['VisibilityTimeout' as const, 'RedrivePolicy' as const]
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: publish, AttributeNames }),
  )
  // Six times the 60 s that the function behind it may take.
  expect(Attributes?.VisibilityTimeout).toBe('360')
  expect(Attributes?.RedrivePolicy).toContain(`${prefix}publish-failures`)
})
