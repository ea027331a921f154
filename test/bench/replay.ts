/** The requests of a handler without the handler: recorded at the wire, and made again with nothing but the SDK. */
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { dynamodbClient } from '../../infra/local/aws-clients.ts'
import type { Wave } from './wire.ts'

/** Replaces what must be new each time, such as the ID of what is created. */
export type Renew = (body: string) => string

const commands: Record<string, new (input: never) => GetCommand> = {
  GetItem: GetCommand,
  BatchGetItem: BatchGetCommand as never,
  Query: QueryCommand as never,
  PutItem: PutCommand as never,
  UpdateItem: UpdateCommand as never,
  DeleteItem: DeleteCommand as never,
  TransactWriteItems: TransactWriteCommand as never,
}

export function openReplay(endpoint: string) {
  const client = DynamoDBDocumentClient.from(dynamodbClient(endpoint))
  return {
    /** Makes the waves' requests ready; what it answers sends them, wave after wave. */
    prepare(waves: Wave[], renew: Renew = (body) => body) {
      const ready = waves.map((wave) =>
        wave.map(({ operation, body }) => ({ operation, input: toDocuments(renew(body)) })),
      )
      return async () => {
        for (const wave of ready)
          await Promise.all(wave.map(({ operation, input }) => send(operation, input)))
      }
    },
    close: () => client.destroy(),
  }

  function send(operation: string, input: unknown) {
    const Command = commands[operation]
    if (!Command) throw new Error(`No command for ${operation}`)
    return client.send(new Command(input as never))
  }
}

const items = new Set(['Item', 'Key', 'ExpressionAttributeValues'])

/** The input of a document command. The token of a transaction is left out: with it, DynamoDB would do nothing twice. */
const toDocuments = (body: string): unknown =>
  JSON.parse(body, (name, value) => {
    if (items.has(name)) return unmarshall(value)
    if (name === 'Keys') return value.map((key: never) => unmarshall(key))
    return name === 'ClientRequestToken' ? undefined : value
  })
