import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { dynamodbClient, s3Client, sqsClient } from '../../infra/local/aws-clients.ts'
import { openDataFolder } from '../../infra/local/data-folder.ts'
import { type Emulators, type Endpoints, startEmulators } from '../../infra/local/emulators.ts'
import { endLeftover } from '../../infra/local/leftover.ts'
import { createBucket, createQueues, createTable } from '../../infra/local/provision.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthaste-emulators-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function start(): Promise<Emulators> {
  const emulators = await startEmulators({ folder })
  onTestFinished(() => emulators.stop())
  return emulators
}

const item = { pk: { S: 'p' }, sk: { S: 's' }, text: { S: 'kept' } }

async function provision({ dynamodb, s3, sqs }: Endpoints) {
  const [, , { publish }] = await Promise.all([
    createTable(dynamodb, 'posthaste'),
    createBucket(s3, 'posthaste'),
    createQueues(sqs),
  ])
  return { db: dynamodbClient(dynamodb), s3: s3Client(s3), sqs: sqsClient(sqs), QueueUrl: publish }
}

test('what was written is there after a restart, at the same addresses', async () => {
  const first = await startEmulators({ folder })
  const before = await provision(first.endpoints)
  await before.db.send(new PutItemCommand({ TableName: 'posthaste', Item: item }))
  await before.s3.send(new PutObjectCommand({ Bucket: 'posthaste', Key: 'media/a b', Body: 'bytes' }))
  await before.sqs.send(new SendMessageCommand({ QueueUrl: before.QueueUrl, MessageBody: 'job' }))
  await first.stop()

  const second = await start()
  expect(second.endpoints).toEqual(first.endpoints)
  const after = await provision(second.endpoints)
  const Key = { pk: item.pk, sk: item.sk }
  expect((await after.db.send(new GetItemCommand({ TableName: 'posthaste', Key }))).Item).toEqual(item)
  const object = await after.s3.send(new GetObjectCommand({ Bucket: 'posthaste', Key: 'media/a b' }))
  expect(await object.Body?.transformToString()).toBe('bytes')
  const { Messages } = await after.sqs.send(new ReceiveMessageCommand({ QueueUrl: after.QueueUrl }))
  expect(Messages?.map(({ Body }) => Body)).toEqual(['job'])
})

test('a message that somebody had received when everything stopped is there at once after a restart', async () => {
  const first = await startEmulators({ folder })
  const { sqs, QueueUrl } = await provision(first.endpoints)
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'job' }))
  await sqs.send(new ReceiveMessageCommand({ QueueUrl }))
  await first.stop()

  const after = await provision((await start()).endpoints)
  const { Messages } = await after.sqs.send(new ReceiveMessageCommand({ QueueUrl: after.QueueUrl }))
  expect(Messages?.map(({ Body }) => Body)).toEqual(['job'])
})

test('the table has its keys, its sparse index, its stream and its expiry', async () => {
  const { endpoints } = await start()
  const { db } = await provision(endpoints)
  const { Table } = await db.send(new DescribeTableCommand({ TableName: 'posthaste' }))
  expect(Table).toMatchObject({
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'due',
        KeySchema: [{ AttributeName: 'dueShard' }, { AttributeName: 'wakeAt' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  })
  const { TimeToLiveDescription } = await db.send(new DescribeTimeToLiveCommand({ TableName: 'posthaste' }))
  expect(TimeToLiveDescription).toEqual({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' })
})

test('a runner that is killed loses nothing that was acknowledged, and its emulator ends', async () => {
  const runner = await startInProcess()
  const { db } = await provision(runner.endpoints)
  await db.send(new PutItemCommand({ TableName: 'posthaste', Item: item }))
  runner.process.kill('SIGKILL')
  await once(runner.process, 'exit')

  const { endpoints } = await start()
  // The old ports were free again.
  expect(endpoints).toEqual(runner.endpoints)
  const after = await provision(endpoints)
  const Key = { pk: item.pk, sk: item.sk }
  expect((await after.db.send(new GetItemCommand({ TableName: 'posthaste', Key }))).Item).toEqual(item)
})

/** Emulators in a process of their own, which can be killed. */
async function startInProcess(): Promise<{ process: ChildProcess; endpoints: Endpoints }> {
  const module = new URL('../../infra/local/emulators.ts', import.meta.url).href
  const program = `
    const { startEmulators } = await import(${JSON.stringify(module)})
    const { endpoints } = await startEmulators({ folder: ${JSON.stringify(folder)} })
    process.stdout.write(JSON.stringify(endpoints))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  return { process: child, endpoints: JSON.parse(String(said)) }
}

/** A process that does nothing, with this word in its command line. */
function startIdle(word: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', word], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a process that an earlier run left behind is ended', async () => {
  const leftover = startIdle('/data/dynamodb.db')
  await once(leftover, 'spawn')
  writeFileSync(join(folder, 'pid'), String(leftover.pid))
  const ended = once(leftover, 'exit')
  await endLeftover(join(folder, 'pid'), '/data/dynamodb.db')
  await ended
})

test("somebody else's process that has the old number by now is left alone", async () => {
  const stranger = startIdle('/elsewhere/dynamodb.db')
  await once(stranger, 'spawn')
  writeFileSync(join(folder, 'pid'), String(stranger.pid))
  await endLeftover(join(folder, 'pid'), '/data/dynamodb.db')
  expect(isRunning(stranger.pid ?? 0)).toBe(true)
})

test.each(['', 'nonsense', '0', '1', '-1', '99999999'])(
  'a pid file that says "%s" ends nothing',
  async (text) => {
    writeFileSync(join(folder, 'pid'), text)
    await expect(endLeftover(join(folder, 'pid'), '')).resolves.toBeUndefined()
  },
)

test('a folder that one runner has is refused to a second, until the first is done', async () => {
  const first = await openDataFolder(folder)
  await expect(openDataFolder(folder)).rejects.toThrow(/running on .* already/)
  await first.close()
  const second = await openDataFolder(folder)
  await second.close()
})

test('an emulator that ends by itself is told of', async () => {
  const { broken } = await start()
  process.kill(Number(readFileSync(join(folder, 'dynoxide.pid'), 'utf8')), 'SIGKILL')
  expect(await broken).toMatch(/DynamoDB emulator has ended/)
})
