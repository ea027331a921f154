import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnv, setEnv } from '#shared/env.ts'
import { fileCheckpoint } from './checkpoint.ts'
import { type Door, loadDoors, wokenBy } from './doors.ts'
import { type Emulators, startEmulators } from './emulators.ts'
import { serveHttp } from './http-server.ts'
import { keptOr } from './kept-text.ts'
import { objectEvents } from './object-events.ts'
import { endLeases } from './pick-up.ts'
import { createBucket, createQueues, createTable } from './provision.ts'
import { pollQueue } from './queue-poller.ts'
import type { Screen } from './screen.ts'
import { followChanges, tableChanges } from './table-changes.ts'
import { startTicking } from './ticker.ts'

export interface ServiceOptions {
  folder: string
  port: number
  operatorKey: string
  /** A DynamoDB that runs already. */
  dynamodb?: string
  quiet: boolean
}

export interface Service {
  baseUrl: string
  /** Settles when a part of it has ended by itself: it cannot go on. */
  broken: Promise<string>
  stop(): Promise<void>
}

const tableName = 'posthaste'
const bucketName = 'posthaste'
const patienceMs = 5000

/** Starts the emulators and, on them, every function of the map with what wakes it. */
export async function startService(options: ServiceOptions, screen: Screen): Promise<Service> {
  const { folder, dynamodb } = options
  screen.step('Starting DynamoDB, S3 and SQS')
  const emulators = await startEmulators({ folder, dynamodb })
  try {
    const queueUrls = await provision(emulators)
    // Somebody else's DynamoDB may have other workers on it.
    if (!dynamodb) await endLeases(emulators.endpoints.dynamodb, tableName)
    const baseUrl = `http://127.0.0.1:${options.port}`
    await setEnvironment(options, { emulators, queueUrls, baseUrl })
    screen.step('Loading the functions')
    const doors = await loadDoors((name, error) => screen.functionFailed(name, error))
    const http = await serveHttp(options.port, httpDoors(doors))
    const wakers = startWakers(doors, { emulators, queueUrls, folder })
    return {
      baseUrl,
      broken: emulators.broken,
      async stop() {
        await http.stop()
        // Work that takes longer is cut off, as by a crash: the queue has its message, and the next start goes on with it.
        await Promise.race([Promise.all(wakers.map((waker) => waker.stop())), sleep(patienceMs)])
        await emulators.stop()
      },
    }
  } catch (problem) {
    await emulators.stop()
    throw problem
  }
}

type QueueUrls = Awaited<ReturnType<typeof createQueues>>

async function provision({ endpoints }: Emulators): Promise<QueueUrls> {
  const [queueUrls] = await Promise.all([
    createQueues(endpoints.sqs),
    createTable(endpoints.dynamodb, tableName),
    createBucket(endpoints.s3, bucketName),
  ])
  return queueUrls
}

async function setEnvironment(
  { folder, operatorKey, quiet }: ServiceOptions,
  { emulators, queueUrls, baseUrl }: { emulators: Emulators; queueUrls: QueueUrls; baseUrl: string },
): Promise<void> {
  setEnv({
    tableName,
    bucketName,
    publishQueueUrl: queueUrls.publish,
    endpoints: emulators.endpoints,
    operatorKey,
    localCredentialsKey: await keptOr(folder, 'credentials-key', () => randomBytes(32).toString('base64')),
    baseUrl,
    logLevel: readEnv().logLevel || (quiet ? 'ERROR' : 'WARN'),
  })
}

const httpDoors = (doors: Door[]) => ({
  routes: wokenBy(doors, 'http').flatMap(({ routes, call }) => routes.map((route) => ({ ...route, call }))),
  functionUrls: wokenBy(doors, 'functionUrl').map(({ waker, call }) => ({ under: waker.under, call })),
  unmatched: unmatchedOf(doors),
})

function unmatchedOf(doors: Door[]): Door['call'] {
  const [door] = wokenBy(doors, 'unmatched')
  if (!door) throw new Error('no function of the map takes what no route matched')
  return door.call
}

function startWakers(
  doors: Door[],
  { emulators, queueUrls, folder }: { emulators: Emulators; queueUrls: QueueUrls; folder: string },
): { stop(): Promise<void> }[] {
  const { endpoints } = emulators
  const objects = wokenBy(doors, 'objectCreated').map(({ waker, call }) =>
    objectEvents({ bucketName, under: waker.under, call }),
  )
  emulators.onObjectCreated((record) => objects.forEach((events) => events.hear(record)))
  return [
    ...objects,
    ...wokenBy(doors, 'schedule').map(({ call }) => startTicking(call)),
    ...wokenBy(doors, 'queue').map(({ waker: { queue, batchSize }, call }) =>
      pollQueue({ endpoint: endpoints.sqs, queueUrl: queueUrls[queue], batchSize, call }),
    ),
    ...wokenBy(doors, 'stream').map(({ waker, name, call }) => {
      const checkpoint = fileCheckpoint(folder, `stream-${name}.json`)
      const source = { endpoint: endpoints.dynamodb, tableName }
      return followChanges(tableChanges({ ...source, change: waker, call, checkpoint }))
    }),
  ]
}
