import { type AttributeValue, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { dueShards } from '#shared/store/layout.ts'
import { table } from '../resources.ts'
import { dynamodbClient } from './aws-clients.ts'

const { partitionKey, sortKey, dueIndex } = table
/** Farther than the sweep looks ahead, and what it watches stands behind that. */
const soonMs = 10 * 60_000

/**
 * After a crash: this process is the only one on its data, so whoever held a publication is gone. On AWS the leases
 * have to run out, for nobody can know; here they end at once, and what was in flight goes on with the first tick.
 */
export async function endLeases(endpoint: string, tableName: string): Promise<void> {
  const client = dynamodbClient(endpoint)
  const now = new Date().toISOString()
  const soon = new Date(Date.now() + soonMs).toISOString()
  await Promise.all(dueShards.map(endLeasesIn))
  client.destroy()

  async function endLeasesIn(shard: string): Promise<void> {
    let start: Record<string, never> | undefined
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: dueIndex.name,
          KeyConditionExpression: `${dueIndex.partitionKey} = :shard AND ${dueIndex.sortKey} < :soon`,
          ExpressionAttributeValues: { ':shard': { S: shard }, ':soon': { S: soon } },
          ExclusiveStartKey: start,
        }),
      )
      for (const { [partitionKey]: pk, [sortKey]: sk } of page.Items ?? []) {
        if (pk && sk) await endLease({ [partitionKey]: pk, [sortKey]: sk })
      }
      start = page.LastEvaluatedKey as Record<string, never> | undefined
    } while (start)
  }

  /** Looked at by the first tick; a leased publication may be taken at once. */
  async function endLease(key: Record<string, AttributeValue>): Promise<void> {
    const atOnce = `SET ${dueIndex.sortKey} = :now`
    const update = (UpdateExpression: string, ConditionExpression: string, values = {}) =>
      client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: key,
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues: { ':now': { S: now }, ...values },
        }),
      )
    const isLeased = { ':leased': { BOOL: true } }
    await update(`${atOnce}, act_at = :now`, 'leased = :leased', isLeased).catch(async (problem: Error) => {
      if (problem.name !== 'ConditionalCheckFailedException') throw problem
      await update(atOnce, `attribute_exists(${partitionKey})`)
    })
  }
}
