/**
 * Everything impure behind one interface: the clock, randomness, the stores, the queues, the networks. Opened once a
 * process. What only some functions need is loaded on first use, so that the others do not pay for it.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cipher } from './aws/cipher.ts'
import type { Message, Queue } from './aws/queue.ts'
import type { Table } from './aws/table.ts'
import { openTable } from './aws/table.ts'
import type { Id, IdKind, OwnerCode } from './domain/id.ts'
import { idRandomBytes, makeId, ownerCodeOf, timeCode, toBase32 } from './domain/id.ts'
import type { Instant } from './domain/instant.ts'
import { instantAt, secondsBetween } from './domain/instant.ts'
import type { PublishJob } from './domain/publish-job.ts'
import type { Social } from './domain/social.ts'
import type { Env } from './env.ts'
import { readEnv } from './env.ts'
import type { Provider } from './providers/provider.ts'
import { type ApiKeyStore, apiKeyStore } from './store/api-key-store.ts'
import { type DueStore, dueStore } from './store/due-store.ts'
import { type LabelStore, labelStore } from './store/label-store.ts'
import { countShards } from './store/layout.ts'
import { type OwnerStore, ownerStore } from './store/owner-store.ts'
import { type PlanStore, planStore } from './store/plan-store.ts'
import { type PostStore, postStore } from './store/post-store.ts'
import { type PublicationStore, publicationStore } from './store/publication-store.ts'
import { type ReferenceStore, referenceStore } from './store/reference-store.ts'
import { type SandboxStore, sandboxStore } from './store/sandbox-store.ts'
import { type SlotStore, slotStore } from './store/slot-store.ts'
import { type SocialStore, socialStore } from './store/social-store.ts'
import { type UploadStore, uploadStore } from './store/upload-store.ts'

export interface Clock {
  now(): Instant
}

export interface Random {
  /** Cryptographic. */
  bytes(count: number): Uint8Array
  /** A whole number in [0, limit), uniform and cryptographic. */
  below(limit: number): number
  /** In [0, 1), for jitter. */
  fraction(): number
}

export interface Services {
  clock: Clock
  random: Random
  /** A new ID of the owner's, made now. */
  nextId<Kind extends IdKind>(kind: Kind, owner: OwnerCode, now: Instant): Id<Kind>
  /** Waits so many milliseconds. */
  pause(milliseconds: number): Promise<unknown>
  owners: OwnerStore
  apiKeys: ApiKeyStore
  labels: LabelStore
  socials: SocialStore
  posts: PostStore
  publications: PublicationStore
  slots: SlotStore
  plan: PlanStore
  due: DueStore
  references: ReferenceStore
  uploads: UploadStore
  sandbox: SandboxStore
  /** Sends the job to the publish queue, to be done at that instant (at once, when it is past). */
  sendPublishJob(job: PublishJob, at: Instant): Promise<void>
  cipher: Cipher
  /** The key that opens the admin API. */
  operatorKey(): Promise<string>
  /** The network's adapter for this account; throws a `ProviderProblem` where there is none. */
  providerFor(social: Social): Promise<Provider>
}

/** What tests put in the place of the real thing. */
export interface Overrides {
  clock?: Clock
  random?: Random
  table?: Table
  publishQueue?: Queue
}

let live: Services | undefined

/** This process's services, opened on first use from its environment. */
export function liveServices(): Services {
  live ??= openServices(readEnv())
  return live
}

export function openServices(env: Env, overrides: Overrides = {}): Services {
  const clock = overrides.clock ?? { now: () => instantAt(Date.now()) }
  const random = overrides.random ?? {
    bytes: (count: number) => randomBytes(count),
    below: randomInt,
    fraction: Math.random,
  }
  const table =
    overrides.table ??
    openTable({ tableName: env.tableName, endpoint: env.endpoints.dynamodb, random: random.fraction, pause })
  const queue = overrides.publishQueue ?? lazyQueue(env)
  // Drawn once a process, so that parallel creates seldom meet in one counter.
  const countShard = Math.floor(random.fraction() * countShards)
  const sandbox = sandboxStore(
    table,
    () => `sandbox_${timeCode(clock.now())}${toBase32(random.bytes(16), 16)}`,
  )

  return {
    clock,
    random,
    nextId: (kind, owner, now) => makeId(kind, { owner, now, random: random.bytes(idRandomBytes) }),
    pause: (milliseconds) => pause(milliseconds),
    owners: ownerStore(table, countShard),
    apiKeys: apiKeyStore(table, countShard),
    labels: labelStore(table, countShard),
    socials: socialStore(table, countShard),
    posts: postStore(table, countShard),
    publications: publicationStore(table),
    slots: slotStore(table, countShard),
    plan: planStore(table, countShard),
    due: dueStore(table),
    references: referenceStore(table),
    uploads: uploadStore(table),
    sandbox,
    sendPublishJob: (job, at) => queue.send(messageOf(job, at, clock.now())),
    cipher: lazyCipher(env, random),
    operatorKey: lazyOperatorKey(env),
    async providerFor(social) {
      const { providerFor } = await import('./providers/registry.ts')
      return providerFor(social, { sandbox })
    },
  }
}

const messageOf = (job: PublishJob, at: Instant, now: Instant): Message => ({
  body: job,
  delaySeconds: Math.max(0, Math.ceil(secondsBetween(now, at))),
  group: ownerCodeOf(job.post),
})

/** Answers one promise of the same thing for ever; a failure is tried again by the next caller. */
function once<Thing>(load: () => Promise<Thing>): () => Promise<Thing> {
  let loading: Promise<Thing> | undefined
  return async () => {
    loading ??= load()
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}

function lazyQueue({ publishQueueUrl, endpoints }: Env): Queue {
  const open = once(async () => {
    const { openQueue } = await import('./aws/queue.ts')
    return openQueue({ queueUrl: publishQueueUrl, endpoint: endpoints.sqs })
  })
  return { send: async (message) => (await open()).send(message) }
}

function lazyCipher({ credentialsKeyId, localCredentialsKey }: Env, random: Random): Cipher {
  const open = once(async () => {
    const { openKmsCipher, openLocalCipher } = await import('./aws/cipher.ts')
    return localCredentialsKey
      ? openLocalCipher(localCredentialsKey, random.bytes)
      : openKmsCipher(credentialsKeyId)
  })
  return {
    seal: async (text, subject) => (await open()).seal(text, subject),
    open: async (sealed, subject) => (await open()).open(sealed, subject),
  }
}

function lazyOperatorKey({ operatorKey, operatorKeySecret }: Env): () => Promise<string> {
  if (operatorKey) return async () => operatorKey
  const read = once(async () => (await import('./aws/secret.ts')).openSecret(operatorKeySecret))
  return async () => (await read())()
}
