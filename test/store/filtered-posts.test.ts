import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Id, OwnerCode } from '#shared/domain/id.ts'
import type { Post, PostStatus } from '#shared/domain/post.ts'
import { postStatuses } from '#shared/domain/post.ts'
import type { PostFilter } from '#shared/domain/post-filter.ts'
import type { Services } from '#shared/services.ts'
import { type Around, dawdling, openProcess, seeded } from '../support/faults.ts'
import { openWorld, type World } from '../support/world.ts'
import { makers, newestFirst, newOwner } from './made.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

/** An owner, and the IDs of labels and accounts that its posts may bear. */
function openAccount() {
  const owner = newOwner(world.services)
  const ids = <Kind extends 'label' | 'social'>(kind: Kind): Id<Kind>[] =>
    Array.from({ length: 4 }, () => world.services.nextId(kind, owner, world.clock.now()))
  return { owner, labels: ids('label'), socials: ids('social') }
}
type Account = ReturnType<typeof openAccount>

/** What is random of a post: places of its labels and accounts, the status, and whether the next one is as old. */
interface Seed {
  status: PostStatus
  labels: number[]
  socials: number[]
  sameTime: boolean
}

const post = (
  account: Account,
  { status = 'draft', labels = [], socials = [] }: Partial<Seed>,
  fields = {},
) =>
  makers(world.services, account.owner).post({
    status,
    labels: labels.map((place) => account.labels[place]!),
    accounts: socials.map((place) => ({ id: account.socials[place]!, board_id: null })),
    ...fields,
  })

async function posts(account: Account, seeds: Partial<Seed>[]): Promise<Post[]> {
  const made: Promise<Post>[] = []
  for (const seed of seeds) {
    made.push(post(account, seed))
    if (!seed.sameTime) world.clock.advance(0.001)
    if (made.length % 20 === 0) await Promise.all(made)
  }
  return Promise.all(made)
}

/** The filter's meaning, said another way. */
const passes = (filter: PostFilter) => (each: Post) =>
  (!filter.statuses || new Set(filter.statuses).has(each.status)) &&
  (!filter.labels || new Set(filter.labels).intersection(new Set(each.labels)).size > 0) &&
  (!filter.socials ||
    new Set(filter.socials).intersection(new Set(each.accounts.map(({ id }) => id))).size > 0)

interface Walk {
  limit: number
  filter: PostFilter
  services?: Services
  /** Happens while the pages are read. */
  during?: (page: number) => Promise<unknown>
}

/** Every page's IDs, the first to the last. */
async function walk(owner: OwnerCode, { limit, filter, services = world.services, during }: Walk) {
  const pages: string[][] = []
  let after: string | undefined
  do {
    const [page] = await Promise.all([
      services.posts.list(owner, { limit, after }, filter),
      during?.(pages.length),
    ])
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    expect(after === undefined || page.next === undefined || page.next < after).toBe(true)
    pages.push(page.entries.map(({ id }) => id))
    after = page.next
  } while (after !== undefined)
  return pages
}

/** Calls of the table, by verb. */
function counting() {
  const calls: Record<string, number> = {}
  const around: Around = (verb, call) => {
    calls[verb] = (calls[verb] ?? 0) + 1
    return call()
  }
  return { calls, services: openProcess(world, { around }) }
}

const places = fc.uniqueArray(fc.nat(3), { maxLength: 3 })
const seeds = fc.array(
  fc.record({
    status: fc.constantFrom(...postStatuses),
    labels: places,
    socials: places,
    sameTime: fc.boolean(),
  }),
  { maxLength: 45 },
)
const sought = fc.record(
  {
    statuses: fc.uniqueArray(fc.constantFrom(...postStatuses), { minLength: 1 }),
    labels: places,
    socials: places,
  },
  { requiredKeys: [] },
)
const searches = fc.array(fc.record({ sought, limit: fc.integer({ min: 1, max: 30 }) }), {
  minLength: 8,
  maxLength: 8,
})

test('the pages are exactly what passes, newest first, each full but the last', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, searches, async (some, all) => {
      const account = openAccount()
      const made = await posts(account, some)
      for (const {
        sought: { statuses, labels, socials },
        limit,
      } of all) {
        const filter = {
          statuses,
          labels: labels?.map((place) => account.labels[place]!),
          socials: socials?.map((place) => account.socials[place]!),
        }
        const wanted = newestFirst(made.filter(passes(filter)))
        const pages = await walk(account.owner, { limit, filter })
        expect(pages.flat()).toEqual(wanted)
        expect(pages).toHaveLength(Math.max(1, Math.ceil(wanted.length / limit)))
      }
    }),
    { numRuns: 12 },
  )
})

test('`total` counts what the owner has, filters aside', async () => {
  const account = openAccount()
  await posts(account, [{ status: 'draft' }, { status: 'failed' }, { status: 'draft', labels: [1] }])
  const { labels } = account
  for (const filter of [{ statuses: ['draft' as const] }, { labels: [labels[1]!] }, { labels: [] }]) {
    expect(await world.services.posts.list(account.owner, { limit: 1 }, filter)).toMatchObject({ total: 3 })
  }
})

test('changed and deleted posts are listed as what they are now', async () => {
  const account = openAccount()
  const [one, two, three] = await posts(account, [{ labels: [0] }, { labels: [0] }, { labels: [0] }])
  await world.services.posts.save({ ...one!, labels: [account.labels[1]!] }, one!)
  await world.services.posts.save({ ...two!, status: 'published' }, two!)
  await world.services.posts.remove(three!, world.clock.now())
  const ids = async (filter: PostFilter) => (await walk(account.owner, { limit: 5, filter })).flat()
  const [first, second] = account.labels as [Id<'label'>, Id<'label'>]
  expect(await ids({ labels: [first] })).toEqual([two!.id])
  expect(await ids({ labels: [second] })).toEqual([one!.id])
  expect(await ids({ labels: [first], statuses: ['draft'] })).toEqual([])
  expect(await ids({ statuses: ['draft'] })).toEqual([one!.id])
})

test('a facet row that lags behind its post lists nothing', async () => {
  const account = openAccount()
  const [draft, other] = await posts(account, [{ labels: [0] }, { labels: [0] }])
  // As an eventually consistent read may still find it.
  const row = { pk: `${account.owner}#F#failed#L#${account.labels[0]}`, sk: draft!.id }
  await world.table.commit([{ put: row }])
  expect(
    await walk(account.owner, { limit: 1, filter: { statuses: ['failed'], labels: [account.labels[0]!] } }),
  ).toEqual([[]])
  expect(await walk(account.owner, { limit: 1, filter: { labels: [account.labels[0]!] } })).toEqual([
    [other!.id],
    [draft!.id],
  ])
})

describe('while others write', () => {
  const moves: Record<PostStatus, PostStatus> = {
    draft: 'scheduled',
    scheduled: 'publishing',
    pending_approval: 'draft',
    publishing: 'failed',
    failed: 'published',
    published: 'pending_approval',
  }

  test.each([
    { by: 'label', filterOf: ({ labels }: Account): PostFilter => ({ labels: labels.slice(0, 2) }) },
    {
      by: 'label and account',
      filterOf: ({ labels, socials }: Account): PostFilter => ({
        labels: labels.slice(0, 2),
        socials: socials.slice(0, 2),
      }),
    },
    { by: 'status', filterOf: (): PostFilter => ({ statuses: [...postStatuses] }) },
  ])('a list by $by has each post once that was there throughout', async ({ filterOf }) => {
    for (let round = 0; round < 2; round++) {
      const account = openAccount()
      const filter = filterOf(account)
      const random = seeded(round)
      const seedOf = (n: number): Partial<Seed> => ({
        status: postStatuses[n % 6]!,
        labels: [n % 2, 2],
        socials: [(n + 1) % 2, 3],
      })
      const staying = await posts(
        account,
        Array.from({ length: 24 }, (_, n) => seedOf(n)),
      )
      const doomed = await posts(
        account,
        Array.from({ length: 12 }, (_, n) => seedOf(n)),
      )
      const late = new Set<string>()
      const current = new Map(staying.map((each) => [each.id, each]))
      const move = async (id: Id<'post'>) => {
        const before = current.get(id)!
        const moved = { ...before, status: moves[before.status] }
        expect(await world.services.posts.save(moved, before)).toBe(true)
        current.set(id, { ...moved, version: before.version + 1 })
      }
      // Each post moves once a page at most: nobody can follow one that goes back and forth within a request.
      const during = (page: number) =>
        Promise.all([
          ...staying.filter(() => random() < 0.7).map(({ id }) => move(id)),
          ...doomed.splice(0, 1).map((each) => world.services.posts.remove(each, world.clock.now())),
          post(account, seedOf(page)).then(({ id }) => late.add(id)),
        ])
      const services = openProcess(world, { around: dawdling(random, 12) })
      const ids = (await walk(account.owner, { limit: 7, filter, services, during })).flat()
      expect(ids).toEqual(newestFirst([...new Set(ids)].map((id) => ({ id }))))
      expect(staying.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([])
    }
  })
})

describe('what a page costs', () => {
  test('two label partitions, their posts in one batch, and the total', async () => {
    const account = openAccount()
    await posts(
      account,
      Array.from({ length: 50 }, (_, n) => ({ labels: [n % 2] })),
    )
    const { calls, services } = counting()
    const filter: PostFilter = { statuses: ['draft'], labels: account.labels.slice(0, 2) }
    const page = await services.posts.list(account.owner, { limit: 20 }, filter)
    expect(page).toMatchObject({ entries: { length: 20 }, total: 50 })
    expect(calls).toEqual({ query: 3, getMany: 1 })
  })

  test('nothing but the total, when nothing can pass', async () => {
    const { calls, services } = counting()
    expect(
      await services.posts.list(openAccount().owner, { limit: 20 }, { labels: [], socials: [] }),
    ).toEqual({
      entries: [],
      total: 0,
      next: undefined,
    })
    expect(calls).toEqual({ query: 1 })
  })

  test('no more than its allowance, however few pass: the next page goes on from there', async () => {
    const account = openAccount()
    const scheduled = Array.from({ length: 470 }, () => ({ status: 'scheduled' as const }))
    const [oldest] = await posts(account, [{ status: 'publishing' }, ...scheduled])
    const { calls, services } = counting()
    const filter: PostFilter = { statuses: ['publishing'] }
    const page = await services.posts.list(account.owner, { limit: 20 }, filter)
    expect(page).toMatchObject({ entries: [], next: expect.any(String) })
    expect(calls['getMany']).toBeLessThan(10)
    expect(await walk(account.owner, { limit: 20, filter })).toEqual([[], [oldest!.id]])
  })

  test('a page of very large posts is cut before it is too large to be answered', async () => {
    const account = openAccount()
    const made: Post[] = []
    for (let n = 0; n < 16; n++) made.push(await post(account, {}, { text: 'x'.repeat(300_000) }))
    const pages = await walk(account.owner, { limit: 15, filter: { statuses: ['draft'] } })
    expect(pages.map((page) => page.length)).toEqual([13, 3])
    expect(pages.flat()).toEqual(newestFirst(made))
  })

  test('a full hundred, and one more', async () => {
    const account = openAccount()
    await posts(
      account,
      Array.from({ length: 101 }, () => ({})),
    )
    const pages = await walk(account.owner, { limit: 100, filter: { statuses: ['draft'] } })
    expect(pages.map((page) => page.length)).toEqual([100, 1])
  })
})
