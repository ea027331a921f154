/** What goes wrong in production, at will: processes that are killed, answers that get lost, a table that dawdles. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Message, Queue } from '#shared/aws/queue.ts'
import type { Table } from '#shared/aws/table.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import { readEnv } from '#shared/env.ts'
import type { Provider } from '#shared/providers/provider.ts'
import type { Services } from '#shared/services.ts'
import { openServices } from '#shared/services.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import type { World } from './world.ts'

/** Stands around one call of the table or the queue. */
export type Around = <Answer>(verb: keyof Table | 'send', call: () => Promise<Answer>) => Promise<Answer>

/** The table with something around each of its verbs. */
export const tableAround = (table: Table, around: Around): Table => ({
  get: (...given) => around('get', () => table.get(...given)),
  getMany: (...given) => around('getMany', () => table.getMany(...given)),
  query: (...given) => around('query', () => table.query(...given)),
  commit: (...given) => around('commit', () => table.commit(...given)),
  update: (...given) => around('update', () => table.update(...given)),
})

export const queueAround = (queue: Queue, around: Around): Queue => ({
  send: (message) => around('send', () => queue.send(message)),
})

export interface ProcessOptions {
  around?: Around
  table?: Table
  queue?: Queue
  clock?: Services['clock']
}

/** Services of a process of its own; the table, the queue and the clock are the world's unless given. */
export const openProcess = (
  world: World,
  {
    around = (_, call) => call(),
    table = world.table,
    queue = world.queue,
    clock = world.clock,
  }: ProcessOptions = {},
): Services =>
  openServices(readEnv({}), {
    clock,
    table: tableAround(table, around),
    publishQueue: queueAround(queue, around),
  })

/** The services with networks that behave otherwise in some respect. */
export const withProvider = (
  base: Services,
  change: (provider: Provider) => Partial<Provider>,
): Services => ({
  ...base,
  providerFor: async (social) => {
    const provider = await base.providerFor(social)
    return { ...provider, ...change(provider) }
  },
})

/** How a call goes wrong. The two deaths end the process: nothing that it does later has any effect. */
export type Failure = 'dies before' | 'dies after' | 'answer lost' | 'refused'

/** Lets the n-th call of a process fail; counts them all. */
export function failingAt(n: number, failure: Failure): { around: Around; calls(): number; dead(): boolean } {
  let calls = 0
  let dead = false
  const around: Around = async (_, call) => {
    if (dead) throw new Error('The process is dead')
    if (++calls !== n) {
      const answer = await call()
      if (dead) throw new Error('The process died meanwhile')
      return answer
    }
    dead = failure.startsWith('dies')
    if (failure === 'dies after' || failure === 'answer lost') await call()
    throw new Error(`Call ${n}: ${failure}`)
  }
  return { around, calls: () => calls, dead: () => dead }
}

/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Every call takes some milliseconds more, before it and after it. */
export const dawdling =
  (random: () => number, mostMilliseconds = 8): Around =>
  async (_, call) => {
    await pause(random() * mostMilliseconds)
    const answer = await call()
    await pause(random() * mostMilliseconds)
    return answer
  }

/** SQS hands a message out again when it was not deleted by then. */
const visibilitySeconds = 360

/** Delivers what is due, each job to the process that `processOf` names; what failed comes back as on SQS. */
export async function deliverTo(
  world: World,
  processOf: (job: PublishJob) => Services,
  copies = 1,
): Promise<void> {
  const work = async (message: Message) => {
    const job = message.body as PublishJob
    try {
      await doPublishJob(job, processOf(job))
    } catch {
      await world.queue.send({ ...message, delaySeconds: visibilitySeconds })
    }
  }
  for (let due = world.queue.take(); due.length > 0; due = world.queue.take()) {
    await Promise.all(due.flatMap((message) => Array.from({ length: copies }, () => work(message))))
  }
}
