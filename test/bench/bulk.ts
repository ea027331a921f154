/** Many items at once, unconditionally: the writes of the product's own stores, in batches past the wire. */
import { BatchWriteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Item, Key, Write } from '#shared/aws/table.ts'
import { dynamodbClient } from '../../infra/local/aws-clients.ts'

const batchSize = 25
const atOnce = 6

export function openBulk(endpoint: string, tableName: string) {
  const client = DynamoDBDocumentClient.from(dynamodbClient(endpoint), {
    marshallOptions: { removeUndefinedValues: true },
  })

  async function send(batch: Single[]): Promise<void> {
    const requests = batch.map((single) =>
      'put' in single ? { PutRequest: { Item: single.put } } : { DeleteRequest: { Key: single.remove } },
    )
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteCommand({ RequestItems: { [tableName]: requests } }),
    )
    if (UnprocessedItems[tableName]?.length) throw new Error('The emulator left writes of a batch undone')
  }

  return {
    /** Of two writes of one key the later one counts; counters are added up; conditions are left out. */
    async write(writes: Write[]): Promise<void> {
      const { singles, counters } = sortOut(writes)
      const batches = Array.from({ length: Math.ceil(singles.length / batchSize) }, (_, at) =>
        singles.slice(at * batchSize, (at + 1) * batchSize),
      )
      const lane = async () => {
        for (let batch = batches.pop(); batch; batch = batches.pop()) await send(batch)
      }
      await Promise.all(Array.from({ length: atOnce }, lane))
      for (const { key, count } of counters) {
        await client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: key,
            UpdateExpression: 'ADD #count :count',
            ExpressionAttributeNames: { '#count': 'count' },
            ExpressionAttributeValues: { ':count': count },
          }),
        )
      }
    },
    close: () => client.destroy(),
  }
}

type Single = { put: Key | Item } | { remove: Key }

function sortOut(writes: Write[]) {
  const singles = new Map<string, Single>()
  const counters = new Map<string, { key: Key; count: number }>()
  for (const write of writes) {
    if ('put' in write) singles.set(nameOf(write.put), { put: write.put })
    if ('remove' in write) singles.set(nameOf(write.remove), { remove: write.remove })
    if ('update' in write) {
      const count = (counters.get(nameOf(write.update))?.count ?? 0) + (write.add?.['count'] ?? 0)
      counters.set(nameOf(write.update), { key: write.update, count })
    }
  }
  return { singles: [...singles.values()], counters: [...counters.values()] }
}

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`
