/** The plan that assign-next is measured on: 50 slots, what is taken of them, and drafts to assign. */
import type { Write } from '#shared/aws/table.ts'
import type { Holding } from '#shared/domain/holding.ts'
import type { Id } from '#shared/domain/id.ts'
import { occurrencesAfter } from '#shared/domain/occurrence.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Slot } from '#shared/domain/slot.ts'
import { facetKeys, occurrenceKey, postKey } from '#shared/store/layout.ts'
import { freeingWrites, postFromItem, postWrites } from '#shared/store/post-writes.ts'
import type { Ground } from './ground.ts'
import type { Data } from './posts.ts'

const slotCount = 50
const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney']

export function openPlan(ground: Ground, { labels, accounts, bulk, idAt, draftWrites }: Data) {
  let made: Promise<Slot[]> | undefined
  const slots = () => (made ??= makeSlots())

  /** Four in five daily, the others weekly; each for one label. */
  async function makeSlots(): Promise<Slot[]> {
    for (let n = 0; n < slotCount; n++) {
      const hour = String(8 + (n % 12)).padStart(2, '0')
      const minute = String((n * 7) % 50).padStart(2, '0')
      await ground.own('POST', '/plan/slots', {
        week_day: n % 7,
        start_time: `${hour}:${minute}`,
        end_time: `${hour}:${Number(minute) + 9}`.replace(/:(\d)$/, ':0$1'),
        timezone: zones[n % zones.length],
        recurrence: { interval: n % 5 === 4 ? 'weekly' : 'daily', repeat_every: 1 },
        label_ids: [labels[n % labels.length]],
      })
    }
    return ground.services.slots.listAll(ground.owner)
  }

  return {
    slots,

    /** Takes the next occurrences of every slot, together so many; answers how to give them back. */
    async take(count: number): Promise<() => Promise<void>> {
      const now = ground.clock.now()
      const holdings = (await slots()).flatMap((slot) =>
        occurrencesAfter(slot, now)
          .take(count / slotCount)
          .map(
            ({ slot_id, date, start }): Holding => ({ slot_id, date, post_id: idAt(0), scheduled_at: start }),
          )
          .toArray(),
      )
      const keyOf = ({ slot_id, date }: Holding) => occurrenceKey(slot_id, date)
      await bulk.write(holdings.map((holding) => ({ put: { ...keyOf(holding), ...holding } })))
      return () => bulk.write(holdings.map((holding) => ({ remove: keyOf(holding) })))
    },

    /** New drafts with so many labels and as many accounts each. */
    async makeDrafts(count: number, each: number) {
      const writes: Write[][] = Array.from({ length: count }, (_, n) =>
        draftWrites({
          labels: Array.from({ length: each }, (__, k) => labels[(n + k) % labels.length] as Id<'label'>),
          accounts: accounts.slice(0, each).map((id) => ({ id, board_id: null })),
        }),
      )
      const drafts = writes.map(([first]) => postFromItem((first as { put: never }).put))
      const ids = drafts.map(({ id }) => id)
      await bulk.write(writes.flat())

      const current = async () => {
        const found = new Map((await ground.services.posts.findMany(ids)).map((post) => [post.id, post]))
        return drafts.map((draft) => ({ draft, post: found.get(draft.id) as Post }))
      }
      const undoing = async () =>
        (await current()).flatMap(({ draft, post }) => [
          ...postWrites(draft, post),
          ...freeingWrites(post, draft),
        ])
      return {
        ids,

        /** What they were assigned to: `<local date>#<slot>` by post, in order. */
        occurrences: async () => (await current()).map(({ post }) => `${post.slot_date}#${post.slot_id}`),
        /** Makes them the drafts again that they were, and frees what they took. */
        restore: async () => bulk.write([...(await undoing()), ...writes.flat()]),
        /** Takes them away, and frees what they took. */
        remove: async () =>
          bulk.write([
            ...(await undoing()),
            ...drafts.flatMap((draft) =>
              [postKey(draft.id), ...facetKeys(draft)].map((key) => ({ remove: key })),
            ),
          ]),
      }
    },
  }
}
