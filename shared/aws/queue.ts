/** SQS in one verb: say a message, to be heard now or later. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientOptions } from './client-options.ts'

export interface Message {
  body: unknown
  /** Whole seconds, at most 900: SQS delays no message for longer. */
  delaySeconds: number
  /** Fair queues: one busy group does not hold up the others. */
  group: string
}

export interface Queue {
  /** Returns once the queue has the message; it is delivered at least once, in no order. */
  send(message: Message): Promise<void>
}

export function openQueue({ queueUrl, endpoint }: { queueUrl: string; endpoint: string }): Queue {
  const client = new SQSClient(clientOptions(endpoint))
  return {
    async send({ body, delaySeconds, group }) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(body),
          DelaySeconds: delaySeconds,
          MessageGroupId: group,
        }),
      )
    },
  }
}
