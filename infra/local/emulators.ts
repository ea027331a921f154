import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { endLeftDynamodb, startDynamodb } from './dynamodb-emulator.ts'
import { choosePorts } from './ports.ts'
import { type ObjectRecord, startS3 } from './s3-emulator.ts'
import { startSqs } from './sqs-emulator.ts'

/** The URLs that AWS clients are pointed at. */
export interface Endpoints {
  dynamodb: string
  s3: string
  sqs: string
}

export interface Emulators {
  endpoints: Endpoints
  /** Calls the listener for every object written from now on. */
  onObjectCreated(listener: (record: ObjectRecord) => void): void
  /** Settles, with a line that says so, when one of them has ended by itself. */
  broken: Promise<string>
  stop(): Promise<void>
}

interface EmulatorOptions {
  /** Holds all data; a later start on it finds everything that was acknowledged. */
  folder: string
  /** A DynamoDB that runs already, to be used instead of a new one. */
  dynamodb?: string
}

/** Starts what plays DynamoDB, S3 and SQS, on free ports of this machine only. */
export async function startEmulators({ folder, dynamodb }: EmulatorOptions): Promise<Emulators> {
  const root = resolve(folder)
  await mkdir(root, { recursive: true })
  await endLeftDynamodb(root)
  const ports = await choosePorts(root)

  const starting = [
    startS3(join(root, 's3'), ports.s3),
    startSqs(join(root, 'sqs'), ports.sqs),
    dynamodb ? runsElsewhere : startDynamodb(root, ports.dynamodb),
  ] as const
  const stop = async () => {
    const started = await Promise.allSettled(starting)
    await Promise.all(started.map(async (start) => start.status === 'fulfilled' && start.value.stop()))
  }

  try {
    const [s3, , { broken }] = await Promise.all(starting)
    const endpoints = { dynamodb: dynamodb ?? at(ports.dynamodb), s3: at(ports.s3), sqs: at(ports.sqs) }
    return { endpoints, onObjectCreated: (listener) => s3.onCreated(listener), broken, stop }
  } catch (problem) {
    await stop()
    throw problem
  }
}

const at = (port: number) => `http://127.0.0.1:${port}`

const runsElsewhere = Promise.resolve({ broken: new Promise<string>(() => {}), stop: async () => {} })
