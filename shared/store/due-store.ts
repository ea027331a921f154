import type { Instant } from '#shared/domain/instant.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import { equals } from '../aws/condition.ts'
import type { Item, Key, Table } from '../aws/table.ts'
import { dueIndex, dueShards } from './layout.ts'

export type DueStore = ReturnType<typeof dueStore>

/** An entry of the index: something that somebody must look at. */
export interface DueEntry {
  key: Key
  wakeAt: Instant
}

/** What an entry stands for: the job to send, and when it is to be heard. */
export interface DueJob {
  job: PublishJob
  at: Instant
}

/** The `due` index: scheduler, retry timer and watchdog in one. */
export const dueStore = (table: Table) => ({
  /** What wakes up to and including `until`, in each shard earliest first. Eventually consistent. */
  async list(until: Instant, limitPerShard: number): Promise<DueEntry[]> {
    const shards = await Promise.all(
      dueShards.map((shard) =>
        table.query({ index: dueIndex, pk: shard, upTo: until, limit: limitPerShard }),
      ),
    )
    return shards.flatMap(({ items }) =>
      items.map(({ pk, sk, wakeAt }) => ({ key: { pk, sk }, wakeAt: wakeAt as Instant })),
    )
  },

  /** Puts the entry off to `until` and answers its job; undefined when somebody else did so since it was listed. */
  async lease({ key, wakeAt }: DueEntry, until: Instant): Promise<DueJob | undefined> {
    const item = await table.update(key, {
      set: { [dueIndex.sortKey]: until },
      when: equals(dueIndex.sortKey, wakeAt),
    })
    return item && toJob(item)
  },
})

/** A post is due at its time; a publication when its next step is, or its worker's lease ends. */
const toJob = (item: Item): DueJob =>
  item['publication_id'] === undefined
    ? { job: { kind: 'post', post: item['id'] as never, hops: 0 }, at: item['scheduled_at'] as Instant }
    : {
        job: {
          kind: 'publication',
          post: item['post_id'] as never,
          social: item['social_provider_id'] as never,
          hops: 0,
        },
        at: item['act_at'] as Instant,
      }
