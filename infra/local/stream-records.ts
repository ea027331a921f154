import type { DynamoDBRecord } from 'aws-lambda'
import { credentials, region } from './aws-clients.ts'

/** The last record that was read, of which stream; before the first one there is none. */
export interface StreamPosition {
  stream: string
  sequenceNumber: string
}

/**
 * The table's changes after a position, oldest first, as Lambda hands them over; at most 100. All there are, when the
 * position is of another stream (the table was made anew). For emulators: there, a table's stream is one shard.
 */
export async function readChanges(
  endpoint: string,
  tableName: string,
  after?: StreamPosition,
): Promise<{ stream: string; records: DynamoDBRecord[] }> {
  const { Streams } = await ask(endpoint, 'ListStreams', { TableName: tableName })
  const stream: string | undefined = Streams?.[0]?.StreamArn
  if (!stream) throw new Error(`the table ${tableName} has no stream`)
  const { StreamDescription } = await ask(endpoint, 'DescribeStream', { StreamArn: stream })
  const shard = StreamDescription?.Shards?.[0]
  if (!shard) return { stream, records: [] }

  const { ShardIterator } = await ask(endpoint, 'GetShardIterator', {
    StreamArn: stream,
    ShardId: shard.ShardId,
    ...(after?.stream === stream
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after.sequenceNumber }
      : { ShardIteratorType: 'TRIM_HORIZON' }),
  })
  const { Records = [] } = await ask(endpoint, 'GetRecords', { ShardIterator, Limit: 100 })
  return {
    stream,
    records: Records.map((record) => Object.assign(record, { awsRegion: region, eventSourceARN: stream })),
  }
}

interface Answer {
  Streams?: { StreamArn: string }[]
  StreamDescription?: { Shards?: { ShardId: string }[] }
  ShardIterator?: string
  Records?: DynamoDBRecord[]
}

// By hand, for the one place that needs it: the SDK has a client of its own for streams.
async function ask(endpoint: string, operation: string, input: object): Promise<Answer> {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const scope = `${credentials.accessKeyId}/${day}/${region}/dynamodb/aws4_request`
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      'x-amz-date': `${day}T000000Z`,
      // Emulators look that it is there, not that it is right.
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(input),
  })
  if (!response.ok) throw new Error(`${operation} was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}
