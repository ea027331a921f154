import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BatchWriteItemCommand, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { dynamodbClient } from '../../infra/local/aws-clients.ts'
import { fileCheckpoint } from '../../infra/local/checkpoint.ts'
import { createTable } from '../../infra/local/provision.ts'
import { readChanges } from '../../infra/local/stream-records.ts'
import { tableChanges } from '../../infra/local/table-changes.ts'

const { dynamodb: endpoint } = inject('endpoints')
const client = dynamodbClient(endpoint)
afterAll(() => client.destroy())

let tableName: string
beforeEach(async () => {
  tableName = `stream-${randomBytes(8).toString('hex')}`
  await createTable(endpoint, tableName)
})

const key = (sk: string) => ({ pk: { S: 'p' }, sk: { S: sk } })
const put = (sk: string, n = 1) =>
  client.send(new PutItemCommand({ TableName: tableName, Item: { ...key(sk), n: { N: String(n) } } }))
const remove = (sk: string) => client.send(new DeleteItemCommand({ TableName: tableName, Key: key(sk) }))

/** A reader of `event`s below `x_`, and the sort keys that its function was handed, call by call. */
function follow(
  event: 'INSERT' | 'MODIFY' | 'REMOVE',
  work: (records: DynamoDBRecord[]) => unknown = () => undefined,
  checkpoint?: ReturnType<typeof fileCheckpoint>,
) {
  const calls: string[][] = []
  const call = async (given: object) => {
    const { Records } = given as DynamoDBStreamEvent
    calls.push(Records.map(({ dynamodb }) => dynamodb?.Keys?.sk?.S ?? ''))
    return work(Records)
  }
  const { deliver } = tableChanges({
    endpoint,
    tableName,
    change: { event, sortKeyPrefix: 'x_' },
    call,
    checkpoint,
  })
  return { calls, deliver }
}

const failAt = (sk: string) => (records: DynamoDBRecord[]) => ({
  batchItemFailures: records
    .filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === sk)
    .map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })),
})

test.each([
  { event: 'INSERT' as const, expected: ['x_1', 'x_2'] },
  { event: 'MODIFY' as const, expected: ['x_2'] },
  { event: 'REMOVE' as const, expected: ['x_1'] },
])('a function for $event gets these changes, in order, of its keys alone', async ({ event, expected }) => {
  const { calls, deliver } = follow(event)
  await put('x_1')
  await put('y_1')
  await put('x_2')
  await put('x_2', 2)
  await remove('y_1')
  await remove('x_1')
  expect(await deliver()).toBe(true)
  expect(calls.flat()).toEqual(expected)
})

test('a record has the images before and after, as raw attribute values', async () => {
  const seen: DynamoDBRecord[] = []
  const { deliver } = follow('MODIFY', (records) => void seen.push(...records))
  await put('x_1', 1)
  await put('x_1', 2)
  await deliver()
  expect(seen).toMatchObject([
    {
      eventName: 'MODIFY',
      eventSource: 'aws:dynamodb',
      dynamodb: { Keys: key('x_1'), OldImage: { n: { N: '1' } }, NewImage: { n: { N: '2' } } },
    },
  ])
})

test('what was delivered is not delivered again; what came since, is', async () => {
  const { calls, deliver } = follow('INSERT')
  await put('x_1')
  await deliver()
  await deliver()
  await put('x_2')
  await deliver()
  expect(calls).toEqual([['x_1'], ['x_2']])
})

test('a long stream is delivered whole, in order, ten records at a time', async () => {
  const names = Array.from({ length: 230 }, (_, index) => `x_${String(index).padStart(3, '0')}`)
  for (let at = 0; at < names.length; at += 23) {
    const requests = names.slice(at, at + 23).map((name) => ({ PutRequest: { Item: key(name) } }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }))
  }
  const { calls, deliver } = follow('INSERT')
  await deliver()
  expect(calls.flat().toSorted()).toEqual(names)
  expect(Math.max(...calls.map((batch) => batch.length))).toBe(10)
})

test('a record that is named as failed comes again, with those behind it', async () => {
  let isBroken = true
  const { calls, deliver } = follow('INSERT', (records) => (isBroken ? failAt('x_2')(records) : undefined))
  await put('x_1')
  await put('x_2')
  await put('x_3')
  expect(await deliver()).toBe(false)
  isBroken = false
  expect(await deliver()).toBe(true)
  expect(calls).toEqual([['x_1', 'x_2', 'x_3'], ['x_2'], ['x_3']])
})

test('a function that throws gets the batch again', async () => {
  let isBroken = true
  const { calls, deliver } = follow('INSERT', () => {
    if (isBroken) throw new Error('no')
  })
  await put('x_1')
  await put('x_2')
  expect(await deliver()).toBe(false)
  isBroken = false
  expect(await deliver()).toBe(true)
  expect(calls).toEqual([['x_1', 'x_2'], ['x_1'], ['x_2']])
})

test('a record that fails every time is given up, and those behind it are delivered', async () => {
  const { calls, deliver } = follow('INSERT', failAt('x_2'))
  await put('x_1')
  await put('x_2')
  await put('x_3')
  for (let round = 0; round < 10; round++) await deliver()
  expect(calls.flat().filter((name) => name === 'x_1')).toHaveLength(1)
  expect(calls.flat().filter((name) => name === 'x_2')).toHaveLength(6)
  expect(calls.at(-1)).toEqual(['x_3'])
})

test('a restarted reader goes on where the last one stopped, at the record that had failed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-checkpoint-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const before = follow('INSERT', failAt('x_2'), fileCheckpoint(folder, 'here.json'))
  await put('x_1')
  await put('x_2')
  await before.deliver()

  const after = follow('INSERT', undefined, fileCheckpoint(folder, 'here.json'))
  await put('x_3')
  await after.deliver()
  expect(after.calls).toEqual([['x_2', 'x_3']])
})

test('a position in the stream of another table is no position in this one', async () => {
  await put('x_1')
  const { records } = await readChanges(endpoint, tableName, {
    stream: 'of a table long gone',
    sequenceNumber: '99',
  })
  expect(records).toHaveLength(1)
})
