/**
 * What holds the data and the work, as plain data: CDK makes it on AWS, the local runner and the tests
 * make it on the emulators, from these same definitions.
 */
import type { QueueName } from './functions.ts'

/** The one table. `shared/store/layout.ts` says what is under its keys. */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Sparse: holds only the items that somebody must look at again, at `wakeAt`. Keys only. */
  dueIndex: { name: 'due', partitionKey: 'dueShard', sortKey: 'wakeAt' },
  timeToLive: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
} as const

/** The one bucket: uploads come in under one prefix and are kept under the other. */
export const bucket = {
  uploadsPrefix: 'uploads/',
  mediaPrefix: 'media/',
  /** Days after which an upload that nobody completed is cleared away. */
  uploadsExpireAfterDays: 2,
} as const

export interface QueueSpec {
  /** Deliveries before a message goes to the dead-letter queue. */
  maxReceives: number
  /** What a user suffers when messages end there: the sentence on its alarm. */
  impact: string
}

/** Every queue has a dead-letter queue; its visibility time-out is six times its function's time-out. */
export const queues = {
  publish: {
    maxReceives: 5,
    impact: 'A publish job failed again and again: its post waits for the next sweep, and may be late.',
  },
} satisfies Record<QueueName, QueueSpec>

/** AWS's advice: room for a throttled batch to be tried again. */
export const visibilityTimeoutSeconds = (functionTimeoutSeconds: number): number => 6 * functionTimeoutSeconds
