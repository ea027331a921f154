/**
 * The map of the service: every function, what wakes it, and what it may touch.
 * Plain data, read by CDK (`stacks/service-stack.ts`), by the local runner (`local/`) and by the architecture test.
 */

/** The door's actions on the table; CDK grants exactly these. There is no Scan. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'

/** The work that waits in a queue; `resources.ts` says how each queue behaves. */
export type QueueName = 'publish'

/** What makes AWS (or the local runner) call the function. */
export type Waker =
  /** The explicit routes that the door's own route objects name. */
  | { kind: 'http' }
  /** The HTTP API's `$default`: whatever no route matched. */
  | { kind: 'unmatched' }
  /** A function URL of its own, open to anybody; the path is handed over still encoded. */
  | { kind: 'functionUrl'; under: string }
  | { kind: 'queue'; queue: QueueName; batchSize: number }
  | { kind: 'objectCreated'; under: string }
  | { kind: 'schedule'; everyMinutes: number }
  /** The table's stream: only records of this kind of event, for sort keys that begin so. */
  | { kind: 'stream'; event: 'INSERT' | 'MODIFY' | 'REMOVE'; sortKeyPrefix: string }

export interface FunctionSpec {
  /** The door: a path below `functions/`, without its ending. */
  entry: string
  wokenBy: Waker
  table?: TableAction[]
  /** May it query the `due` index? */
  dueIndex?: boolean
  /** Object actions, by key prefix. */
  bucket?: { read?: string[]; write?: string[]; delete?: string[] }
  sendsTo?: QueueName[]
  /** The deployment's operator key, read from Secrets Manager on first use. */
  operatorKey?: boolean
  /** What it may do with the key that keeps account credentials. */
  credentials?: ('encrypt' | 'decrypt')[]
  timeoutSeconds: number
  memoryMb: number
  /** What a user suffers when this function fails: the sentence on its alarm. */
  impact: string
}

const answersHttp = { wokenBy: { kind: 'http' }, timeoutSeconds: 29, memoryMb: 512 } as const

export const functions = {
  service: {
    ...answersHttp,
    entry: 'service/api',
    table: ['GetItem', 'UpdateItem'],
    impact: 'Integrations cannot test their key, and the reference page does not open.',
  },
  unmatched: {
    entry: 'service/on-unmatched',
    wokenBy: { kind: 'unmatched' },
    timeoutSeconds: 10,
    memoryMb: 512,
    impact: 'Callers who mistype a path get a gateway error instead of our 404.',
  },
  posts: {
    ...answersHttp,
    entry: 'posts/api',
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sendsTo: ['publish'],
    impact: 'Nobody can create, change or read posts.',
  },
  plan: {
    ...answersHttp,
    entry: 'plan/api',
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sendsTo: ['publish'],
    impact: 'Nobody can change the plan, or assign posts to it.',
  },
  labels: {
    ...answersHttp,
    entry: 'labels/api',
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    impact: 'Nobody can create, change or read labels.',
  },
  labelRemoval: {
    entry: 'labels/on-change',
    wokenBy: { kind: 'stream', event: 'REMOVE', sortKeyPrefix: 'lbl_' },
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    timeoutSeconds: 300,
    memoryMb: 512,
    impact: 'Deleted labels stay on posts.',
  },
  socials: {
    ...answersHttp,
    entry: 'socials/api',
    table: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
    impact: 'Callers cannot see their connected accounts.',
  },
  triggers: {
    entry: 'triggers/on-call',
    wokenBy: { kind: 'functionUrl', under: '/triggers/' },
    timeoutSeconds: 29,
    memoryMb: 512,
    impact: 'Automations that call trigger URLs get an error, and their posts are not created.',
  },
  mediaArrival: {
    entry: 'media/on-upload',
    wokenBy: { kind: 'objectCreated', under: 'uploads/' },
    table: ['UpdateItem'],
    timeoutSeconds: 60,
    memoryMb: 1024,
    impact: 'Uploads are completed by a slower look at the object itself.',
  },
  publishDispatch: {
    entry: 'publisher/on-tick',
    wokenBy: { kind: 'schedule', everyMinutes: 1 },
    table: ['Query', 'UpdateItem'],
    dueIndex: true,
    sendsTo: ['publish'],
    timeoutSeconds: 50,
    memoryMb: 512,
    impact: 'Scheduled posts do not go out on time.',
  },
  publishJob: {
    entry: 'publisher/on-publish-job',
    wokenBy: { kind: 'queue', queue: 'publish', batchSize: 1 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    bucket: { read: ['media/'] },
    sendsTo: ['publish'],
    credentials: ['decrypt'],
    timeoutSeconds: 60,
    memoryMb: 1024,
    impact: 'Posts that are due are not published until the queue moves again.',
  },
  admin: {
    ...answersHttp,
    entry: 'admin/api',
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sendsTo: ['publish'],
    operatorKey: true,
    credentials: ['encrypt'],
    impact: 'The console and the command line cannot manage owners, keys or accounts.',
  },
} satisfies Record<string, FunctionSpec>

export type FunctionName = keyof typeof functions
