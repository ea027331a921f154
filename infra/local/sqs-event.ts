import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { accountId, region } from './aws-clients.ts'

/** Received messages as Lambda hands them to a function. */
export const toSqsEvent = (messages: Message[], queueUrl: string): SQSEvent => ({
  Records: messages.map((message) => toRecord(message, queueUrl)),
})

const toRecord = (message: Message, queueUrl: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: message.Attributes as unknown as SQSRecord['attributes'],
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, toAttribute(value)]),
  ),
  md5OfBody: message.MD5OfBody ?? '',
  ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${queueUrl.split('/').at(-1)}`,
  awsRegion: region,
})

const toAttribute = ({ DataType, StringValue, BinaryValue }: MessageAttributeValue) => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
  stringListValues: [] as never[],
  binaryListValues: [] as never[],
  dataType: DataType ?? 'String',
})
