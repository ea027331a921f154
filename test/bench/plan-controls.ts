/** How assign-next is done elsewhere: asking for occurrence after occurrence, and reading every one under a lock. */
import { absent } from '#shared/aws/condition.ts'
import type { Item } from '#shared/aws/table.ts'
import type { Holding } from '#shared/domain/holding.ts'
import { blocks, occurrenceName } from '#shared/domain/holding.ts'
import type { Id } from '#shared/domain/id.ts'
import { type Instant, plusSeconds } from '#shared/domain/instant.ts'
import { type Occurrence, occurrencesAfter } from '#shared/domain/occurrence.ts'
import type { Post } from '#shared/domain/post.ts'
import { admits, type Slot } from '#shared/domain/slot.ts'
import { occurrenceKey, planLeaseKey } from '#shared/store/layout.ts'
import type { Ground } from './ground.ts'

/** Which occurrence each post gets, `<local date>#<slot>`, in order. */
type Choice = string[]

const horizonSeconds = 90 * 86_400

/** For each post and each slot: is today's occurrence free? Tomorrow's? */
export async function probe(ground: Ground, ids: Id<'post'>[]): Promise<Choice> {
  const { slots, posts } = await readSlotsAndPosts(ground, ids)
  const chosen: Choice = []
  for (const post of posts) {
    const open = slots.filter((slot) => admits(slot, post.labels))
    const free = await Promise.all(open.map((slot) => firstFree(ground, slot, chosen)))
    chosen.push(occurrenceName(earliest(free)))
  }
  return chosen
}

async function firstFree({ table, clock }: Ground, slot: Slot, chosen: Choice): Promise<Occurrence> {
  for (const occurrence of occurrencesAfter(slot, clock.now())) {
    const holding = await table.get(occurrenceKey(slot.id, occurrence.date), { eventual: true })
    if (isFree(occurrence, holding, chosen)) return occurrence
  }
  throw new Error('The calendar has ended')
}

/** Under a lock: every occurrence of the next 90 days is asked for, then the posts choose. */
export async function lockAndExpand(ground: Ground, ids: Id<'post'>[]): Promise<Choice> {
  const { table, owner, clock } = ground
  await table.commit([{ put: { ...planLeaseKey(owner), holder: 'control' }, when: absent }])
  const { slots, posts } = await readSlotsAndPosts(ground, ids)
  const end = plusSeconds(clock.now(), horizonSeconds)
  const expanded = slots.flatMap((slot) =>
    occurrencesUntil(slot, clock.now(), end).map((occurrence) => ({ slot, occurrence })),
  )
  const keys = expanded.map(({ slot, occurrence }) => occurrenceKey(slot.id, occurrence.date))
  const held = new Map((await table.getMany(keys)).map((item) => [item.sk, item]))
  const chosen: Choice = []
  for (const post of posts) {
    const open = expanded.filter(
      ({ slot, occurrence }) =>
        admits(slot, post.labels) &&
        isFree(occurrence, held.get(occurrenceKey(slot.id, occurrence.date).sk), chosen),
    )
    chosen.push(occurrenceName(earliest(open.map(({ occurrence }) => occurrence))))
  }
  await table.commit([{ remove: planLeaseKey(owner) }])
  return chosen
}

function occurrencesUntil(slot: Slot, after: Instant, end: Instant): Occurrence[] {
  const occurrences: Occurrence[] = []
  for (const occurrence of occurrencesAfter(slot, after)) {
    if (occurrence.start >= end) break
    occurrences.push(occurrence)
  }
  return occurrences
}

async function readSlotsAndPosts({ services, owner }: Ground, ids: Id<'post'>[]) {
  const [slots, found] = await Promise.all([services.slots.listAll(owner), services.posts.findMany(ids)])
  return { slots, posts: ids.map((id) => found.find((post) => post.id === id) as Post) }
}

const isFree = (occurrence: Occurrence, holding: Item | undefined, chosen: Choice): boolean =>
  !(holding && blocks(holding as unknown as Holding, occurrence)) &&
  !chosen.includes(occurrenceName(occurrence))

const earliest = ([first, ...others]: Occurrence[]): Occurrence =>
  others.reduce(
    (best, each) =>
      each.start < best.start || (each.start === best.start && each.slot_id < best.slot_id) ? each : best,
    first as Occurrence,
  )
