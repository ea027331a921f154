import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OwnerCode } from '#shared/domain/id.ts'
import type { Services } from '#shared/services.ts'
import { displayNames } from '../support/arbitraries.ts'
import { openWorld, type World } from '../support/world.ts'
import { byName, type Listed, type ListPage, makers, newestFirst, newOwner, readList, walk } from './made.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

/** Some are made in the same millisecond, some later. */
async function inTime<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const batch = Array.from({ length: Math.min(4, count - made.length) }, (_, index) =>
      make(made.length + index),
    )
    made.push(...(await Promise.all(batch)))
    world.clock.advance(0.001)
  }
  return made
}

/** A list, how one of its items is made and removed, and in which order they must come. */
interface Kind {
  make(owner: OwnerCode, name: string, services?: Services): Promise<Listed>
  remove(thing: Listed): Promise<unknown>
  list(owner: OwnerCode): ListPage
  order(things: Listed[]): string[]
}
const kinds: Record<string, Kind> = {
  labels: {
    make: (owner, name, services = world.services) => makers(services, owner).label(name),
    remove: (label) => world.services.labels.remove(label as never),
    list: (owner) => (request) => world.services.labels.list(owner, request),
    order: newestFirst,
  },
  posts: {
    make: (owner, name, services = world.services) => makers(services, owner).post({ text: name }),
    remove: (post) => world.services.posts.remove(post as never, world.clock.now()),
    list: (owner) => (request) => world.services.posts.list(owner, request),
    order: newestFirst,
  },
  socials: {
    make: (owner, name, services = world.services) => makers(services, owner).social({ display_name: name }),
    remove: ({ id }) => world.services.socials.remove(id as never, world.clock.now()),
    list: (owner) => (request) => world.services.socials.listVisible(owner, request),
    order: (socials) => byName(socials as never),
  },
  "the application's socials": {
    make: (owner, name, services = world.services) =>
      makers(services, owner).social({ display_name: name, status: 'pending' }),
    remove: ({ id }) => world.services.socials.remove(id as never, world.clock.now()),
    list: (owner) => (request) => world.services.socials.list(owner, request),
    order: newestFirst,
  },
}
const names = fc.array(displayNames, { maxLength: 24 })
const limits = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 100 }))

describe.each(Object.keys(kinds))('%s', (name) => {
  const kind = kinds[name]!

  test('of any number come in order, whole, on pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(names, limits, async (named, limit) => {
        const owner = newOwner(world.services)
        const things = await inTime(named.length, (index) => kind.make(owner, named[index]!))
        const { ids, pages, total } = await walk(kind.list(owner), { limit })
        expect(ids).toEqual(kind.order(things))
        expect(total).toBe(things.length)
        expect(pages).toBe(Math.max(1, Math.ceil(things.length / limit)))
      }),
      { numRuns: 20 },
    )
  })

  test('that are there throughout are found once, whatever comes and goes meanwhile', async () => {
    const events = fc.array(fc.record({ adds: displayNames, removes: fc.nat() }), {
      minLength: 30,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(displayNames, { minLength: 4, maxLength: 16 }),
        fc.integer({ min: 1, max: 4 }),
        events,
        async (named, limit, planned) => {
          const coming = [...planned]
          const owner = newOwner(world.services)
          const there = await inTime(named.length, (index) => kind.make(owner, named[index]!))
          const ever = [...there]
          const gone = new Set<string>()
          const between = async () => {
            const event = coming.pop()
            if (!event) return
            world.clock.advance(0.001)
            ever.push(await kind.make(owner, event.adds))
            const left = there.filter(({ id }) => !gone.has(id))
            const leaving = left[event.removes % left.length]
            if (leaving && left.length > 2) {
              gone.add(leaving.id)
              await kind.remove(leaving)
            }
          }
          const { ids } = await walk(kind.list(owner), { limit, between })
          expect(new Set(ids).size).toBe(ids.length)
          const throughout = there.filter(({ id }) => !gone.has(id)).map(({ id }) => id)
          expect(ids).toEqual(expect.arrayContaining(throughout))
          expect(ids).toEqual(kind.order(ever).filter((id) => ids.includes(id)))
        },
      ),
      { numRuns: 12 },
    )
  })

  test('are counted exactly, by many processes that add and remove at once', async () => {
    const owner = newOwner(world.services)
    const processes = [world.services, ...Array.from({ length: 4 }, () => world.openAnother())]
    const made: Listed[] = []
    for (let round = 0; round < 3; round++) {
      const leaving = made.splice(0, Math.floor(made.length / 2))
      const work = processes.flatMap((services) =>
        Array.from({ length: 5 }, async () => {
          made.push(await kind.make(owner, `Thing ${round}`, services))
        }),
      )
      await Promise.all([...work, ...leaving.map((thing) => kind.remove(thing))])
      const { total, ids } = await walk(kind.list(owner), { limit: 100 })
      expect(total).toBe(made.length)
      expect(ids).toHaveLength(made.length)
    }
  })

  test('are removed, and counted, once by however many try', async () => {
    const owner = newOwner(world.services)
    const [thing] = await inTime(3, () => kind.make(owner, 'Thing'))
    await Promise.allSettled(Array.from({ length: 8 }, () => kind.remove(thing!)))
    expect((await kind.list(owner)({ limit: 10 })).total).toBe(2)
  })

  test('of one owner are nobody else’s', async () => {
    const [one, other] = [newOwner(world.services), newOwner(world.services)]
    const mine = await inTime(3, () => kind.make(one, 'Mine'))
    await inTime(3, () => kind.make(other, 'Theirs'))
    expect((await walk(kind.list(one), { limit: 2 })).ids.sort()).toEqual(mine.map(({ id }) => id).sort())
  })

  test('of an owner who has none are an empty list', async () => {
    expect(await readList(kind.list(newOwner(world.services)), {})).toEqual({
      items: [],
      total: 0,
      has_more: false,
      next_cursor: null,
    })
  })
})

describe('socials come by name', () => {
  test('in lower case, in code points, then by ID', async () => {
    const owner = newOwner(world.services)
    const { social } = makers(world.services, owner)
    // In UTF-16 the emoji would come before U+FFFD.
    const sorted = [
      'a',
      'A',
      'a b',
      'aa',
      'AB',
      'abc',
      'B',
      'ß',
      'é',
      '\uFFFD',
      '\u{1F44D}',
      '\u{1F44D}\u{1F3FD}',
    ]
    const ids: string[] = []
    for (const display_name of sorted) {
      ids.push((await social({ display_name })).id)
      world.clock.advance(0.001)
    }
    const shuffled = newOwner(world.services)
    const byShuffle: Record<string, string> = {}
    for (const display_name of ['\u{1F44D}', 'abc', 'a', 'é', 'B', 'aa', '\uFFFD', 'ß']) {
      byShuffle[(await makers(world.services, shuffled).social({ display_name })).id] = display_name
    }
    expect((await walk(kinds['socials']!.list(owner), { limit: 5 })).ids).toEqual(ids)
    const names = (await walk(kinds['socials']!.list(shuffled), { limit: 3 })).ids.map((id) => byShuffle[id])
    expect(names).toEqual(['a', 'aa', 'abc', 'B', 'ß', 'é', '\uFFFD', '\u{1F44D}'])
  })

  test('renamed ones change their place, pending and removed ones have none', async () => {
    const owner = newOwner(world.services)
    const { social } = makers(world.services, owner)
    const [a, b, c] = [
      await social({ display_name: 'a' }),
      await social({ display_name: 'b' }),
      await social({ display_name: 'c' }),
    ]
    const { socials } = world.services
    const listed = async () => walk(kinds['socials']!.list(owner), { limit: 2 })

    await socials.change(a.id, (before) => ({ ...before, display_name: 'Z' }))
    expect(await listed()).toMatchObject({ ids: [b.id, c.id, a.id], total: 3 })
    await socials.change(b.id, (before) => ({ ...before, status: 'pending' }))
    expect(await listed()).toMatchObject({ ids: [c.id, a.id], total: 2 })
    await socials.change(b.id, (before) => ({ ...before, status: 'needs_reconnect', display_name: 'zz' }))
    expect(await listed()).toMatchObject({ ids: [c.id, a.id, b.id], total: 3 })
    await socials.change(c.id, (before) => ({ ...before, display_name: 'C' }))
    expect(await listed()).toMatchObject({ ids: [c.id, a.id, b.id], total: 3 })
    await socials.remove(c.id, world.clock.now())
    expect(await listed()).toMatchObject({ ids: [a.id, b.id], total: 2 })
    expect(await socials.find(c.id)).toBeUndefined()
    expect(await socials.findEver(c.id)).toMatchObject({ status: 'removed', credentials: null })
  })

  test('changes at once are all kept', async () => {
    const owner = newOwner(world.services)
    const { id } = await makers(world.services, owner).social({ username: '' })
    const letters = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(
      letters.map((letter) =>
        world.services.socials.change(id, (before) => ({
          ...before,
          username: `${before.username}${letter}`,
          display_name: letter,
        })),
      ),
    )
    expect(Array.from((await world.services.socials.find(id))?.username ?? '').sort()).toEqual(letters)
    expect(await walk(kinds['socials']!.list(owner), { limit: 1 })).toMatchObject({ ids: [id], total: 1 })
  })
})

test('a page of very large posts is cut short, and the next one goes on behind it', async () => {
  const owner = newOwner(world.services)
  const { post } = makers(world.services, owner)
  const large = await inTime(18, () => post({ text: 'l'.repeat(300 * 1024) }))
  const { ids, pages, total } = await walk(kinds['posts']!.list(owner), { limit: 100 })
  expect(ids).toEqual(newestFirst(large))
  expect(total).toBe(18)
  expect(pages).toBe(2)
})
