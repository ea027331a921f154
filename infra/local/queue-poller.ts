import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSBatchResponse } from 'aws-lambda'
import { sqsClient } from './aws-clients.ts'
import type { Call } from './lambda.ts'
import { toSqsEvent } from './sqs-event.ts'

export interface QueuePollerOptions {
  /** Of the SQS emulator. */
  endpoint: string
  queueUrl: string
  batchSize: number
  call: Call
}

const maxBatchesAtOnce = 10

/**
 * Hands the messages of a queue to a function, as Lambda's poller does: what it did is deleted, what it failed
 * at comes back when its visibility time-out is over. `stop` waits for the work under way.
 */
export function pollQueue({ endpoint, queueUrl, batchSize, call }: QueuePollerOptions): {
  stop(): Promise<void>
} {
  const client = sqsClient(endpoint)
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  const poll = async () => {
    while (!stopping.signal.aborted) {
      const messages = await receive(client, queueUrl, batchSize)
      if (messages.length === 0) continue
      const work = deliver(client, queueUrl, messages, call).finally(() => underWay.delete(work))
      underWay.add(work)
      if (underWay.size >= maxBatchesAtOnce) await Promise.race(underWay)
    }
    await Promise.all(underWay)
  }
  const polling = poll()

  return {
    async stop() {
      stopping.abort()
      await polling
      client.destroy()
    },
  }
}

async function receive(client: SQSClient, queueUrl: string, batchSize: number): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: Math.min(batchSize, 10),
    // Short, so that `stop` can wait for it: what arrives on a connection that was cut would be invisible for long.
    WaitTimeSeconds: 1,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  })
  try {
    return (await client.send(command)).Messages ?? []
  } catch {
    await sleep(1000)
    return []
  }
}

async function deliver(client: SQSClient, queueUrl: string, messages: Message[], call: Call): Promise<void> {
  const failed = await failedMessages(messages, call(toSqsEvent(messages, queueUrl)))
  const done = messages.filter(({ MessageId }) => !failed.has(MessageId))
  if (done.length === 0) return
  const Entries = done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
  // A message that could not be deleted is delivered again, as on AWS.
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries })).catch(() => undefined)
}

/** The IDs of messages that must come back: all of them, when the function threw or named one that it was not given. */
async function failedMessages(
  messages: Message[],
  result: Promise<unknown>,
): Promise<Set<string | undefined>> {
  const all = new Set(messages.map(({ MessageId }) => MessageId))
  try {
    const { batchItemFailures = [] } = ((await result) ?? {}) as Partial<SQSBatchResponse>
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    return failed.isSubsetOf(all) ? failed : all
  } catch {
    return all
  }
}
