import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { type FunctionSpec, functions, type QueueName } from '../functions.ts'
import { queues, table, visibilityTimeoutSeconds } from '../resources.ts'
import { accountId, dynamodbClient, region, sqsClient } from './aws-clients.ts'

/** Makes the service's table under this name, unless it is there already. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = dynamodbClient(endpoint)
  await client
    .send(new CreateTableCommand({ TableName: tableName, ...tableDefinition }))
    .catch((problem: unknown) => {
      if (!(problem instanceof ResourceInUseException)) throw problem
    })
  // A start that was killed in between left a table without it.
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }))
  if (TimeToLiveDescription?.TimeToLiveStatus !== 'ENABLED') {
    const TimeToLiveSpecification = { AttributeName: table.timeToLive, Enabled: true }
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }))
  }
  client.destroy()
}

const keys = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
]

const tableDefinition = {
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: [
    table.partitionKey,
    table.sortKey,
    table.dueIndex.partitionKey,
    table.dueIndex.sortKey,
  ].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  KeySchema: keys(table.partitionKey, table.sortKey),
  GlobalSecondaryIndexes: [
    {
      IndexName: table.dueIndex.name,
      KeySchema: keys(table.dueIndex.partitionKey, table.dueIndex.sortKey),
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: table.streamView },
}

/** Makes the bucket, unless it is there already. */
export async function createBucket(endpoint: string, bucketName: string): Promise<void> {
  // By hand, because s3rver takes the SDK's signature of this request for a wrong one.
  const { ok, status } = await fetch(`${endpoint}/${bucketName}`, { method: 'PUT' })
  const isThere = status === 409
  if (!ok && !isThere) throw new Error(`the S3 emulator answered ${status} to the creation of ${bucketName}`)
}

/**
 * Makes every queue of the map with its dead letters, and answers their URLs. The queue is called
 * `<prefix><name>`, its dead letters are `<prefix><name>-failures`; settings that changed since are brought up to date.
 */
export async function createQueues(endpoint: string, prefix = ''): Promise<Record<QueueName, string>> {
  const client = sqsClient(endpoint)
  const made = await Promise.all(
    Object.entries(queues).map(async ([name, { maxReceives }]) => {
      const failures = `${prefix}${name}-failures`
      await createQueue(client, failures, {})
      await createQueue(client, `${prefix}${name}`, {
        VisibilityTimeout: String(visibilityTimeoutSeconds(timeoutOfReader(name))),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: `arn:aws:sqs:${region}:${accountId}:${failures}`,
          maxReceiveCount: maxReceives,
        }),
      })
      return [name, queueUrl(endpoint, `${prefix}${name}`)]
    }),
  )
  client.destroy()
  return Object.fromEntries(made)
}

async function createQueue(
  client: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<void> {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName }))
  // Set apart from creation, which refuses a queue that exists with other attributes.
  if (Object.keys(Attributes).length)
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }))
}

// fauxqs itself answers a name below `.localhost`, which not every system resolves.
const queueUrl = (endpoint: string, name: string) => `${endpoint}/${accountId}/${name}`

function timeoutOfReader(queue: string): number {
  const specs: FunctionSpec[] = Object.values(functions)
  const reader = specs.find(({ wokenBy }) => wokenBy.kind === 'queue' && wokenBy.queue === queue)
  if (!reader) throw new Error(`no function reads the queue ${queue}`)
  return reader.timeoutSeconds
}
