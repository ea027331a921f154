import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bound, SortedStream } from '#shared/store/sorted-streams.ts'
import { intersection, pagedStream, take, takeDownTo, union } from '#shared/store/sorted-streams.ts'

const down = (texts: Iterable<string>) => [...new Set(texts)].toSorted().toReversed()
const textSets = fc.uniqueArray(
  fc.integer({ min: 0, max: 60 }).map((n) => `t${String(n).padStart(3, '0')}`),
  {
    maxLength: 40,
  },
)
const pageSizes = fc.integer({ min: 1, max: 7 })
const numbered = (count: number, step = 1, first = 0) =>
  Array.from({ length: count }, (_, n) => `t${String(first + n * step).padStart(6, '0')}`)

/** A stream of these texts, and what was read of it. */
function counted(texts: string[], size: number) {
  const sorted = down(texts)
  const read = { pages: 0, texts: 0 }
  const stream = pagedStream(async ({ before, upTo }: Bound) => {
    const page = sorted
      .filter((text) => (before === undefined || text < before) && (upTo === undefined || text <= upTo))
      .slice(0, size)
    read.pages += 1
    read.texts += page.length
    return { texts: page, more: page.length === size }
  })
  return { stream, read, texts: sorted }
}

const common = (sets: string[][]) =>
  down(sets[0] ?? []).filter((text) => sets.every((set) => set.includes(text)))

describe('a merge', () => {
  test('has what any of its streams has, once and in order, from any place on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(textSets, { maxLength: 5 }),
        pageSizes,
        textSets,
        async (sets, size, [from]) => {
          const merged = union(sets.map((set) => counted(set, size).stream))
          expect((await take(merged, from, 1_000)).texts).toEqual(
            down(sets.flat()).filter((text) => from === undefined || text < from),
          )
        },
      ),
    )
  })

  test('reads of each stream a page beyond what was taken, at most', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(textSets, { minLength: 1 }),
        pageSizes,
        fc.nat(30),
        async (sets, size, count) => {
          const streams = sets.map((set) => counted(set, size))
          const taken = await take(union(streams.map(({ stream }) => stream)), undefined, count)
          for (const { read, texts } of streams) {
            const needed = texts.filter((text) => text >= (taken.texts.at(-1) ?? '~')).length
            expect(read.texts).toBeLessThanOrEqual(taken.because === 'end' ? texts.length : needed + size)
            if (size >= count) expect(read.pages).toBeLessThanOrEqual(1 + Number(taken.because === 'end'))
          }
        },
      ),
    )
  })
})

describe('an intersection', () => {
  test('has what all of its streams have, in order, from any place on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(textSets, { minLength: 1, maxLength: 4 }),
        pageSizes,
        textSets,
        async (sets, size, [from]) => {
          const met = intersection(sets.map((set) => counted(set, size).stream))
          expect((await take(met, from, 1_000)).texts).toEqual(
            common(sets).filter((text) => from === undefined || text < from),
          )
        },
      ),
    )
  })

  test('reads as often as its shortest stream has texts, however long the others are', async () => {
    await fc.assert(
      fc.asyncProperty(textSets, textSets, pageSizes, async (one, other, size) => {
        const streams = [counted(one, size), counted(other, size)]
        await take(intersection(streams.map(({ stream }) => stream)), undefined, 1_000)
        const shortest = Math.min(one.length, other.length)
        for (const { read } of streams) expect(read.pages).toBeLessThanOrEqual(2 * shortest + 2)
      }),
    )
  })

  test('leaps over what the other stream has not', async () => {
    const [long, short] = [counted(numbered(100_000), 20), counted(numbered(3, 40_000), 20)]
    const { texts } = await take(intersection([long.stream, short.stream]), undefined, 10)
    expect(texts).toEqual(down(numbered(3, 40_000)))
    expect([long.read.pages, short.read.pages]).toEqual([4, 1])
  })

  test('of nothing, or with nothing, is empty and reads on nowhere', async () => {
    const long = counted(numbered(1_000), 10)
    const met = intersection([long.stream, counted([], 10).stream])
    expect(await take(union([met, counted(numbered(1_000), 10).stream]), undefined, 500)).toMatchObject({
      texts: { length: 500 },
    })
    expect(long.read.pages).toBe(1)
    expect(await take(intersection([]), undefined, 10)).toMatchObject({ texts: [], because: 'end' })
    expect(await take(union([]), undefined, 10)).toMatchObject({ texts: [], because: 'end' })
  })
})

describe('a stream that gives up', () => {
  /** (a or b) and (c or d), or (e and f): as a list filtered by labels and accounts in two classes. */
  const combine = (sets: string[][], size: number, goesOn: (to: string) => boolean): SortedStream => {
    const [a, b, c, d, e, f] = sets.map((set) => counted(set, size).stream) as [
      SortedStream,
      ...SortedStream[],
    ]
    return union([intersection([union([a, b!]), union([c!, d!])], goesOn), intersection([e!, f!], goesOn)])
  }
  const wanted = ([a = [], b = [], c = [], d = [], e = [], f = []]: string[][]) =>
    down([
      ...common([
        [...a, ...b],
        [...c, ...d],
      ]),
      ...common([e, f]),
    ])
  const sixSets = fc.array(textSets, { minLength: 6, maxLength: 6 })

  test('loses and repeats nothing when it is taken up again where it stood', async () => {
    await fc.assert(
      fc.asyncProperty(
        sixSets,
        pageSizes,
        fc.nat(6),
        fc.integer({ min: 1, max: 5 }),
        async (sets, size, leaps, count) => {
          const found: string[] = []
          let from: string | undefined
          for (;;) {
            let left = leaps
            const taken = await take(
              combine(sets, size, () => left-- > 0),
              from,
              count,
            )
            found.push(...taken.texts)
            if (taken.because === 'end') break
            expect(from === undefined || taken.reached! < from, 'it comes further each time').toBe(true)
            from = taken.reached
          }
          expect(found).toEqual(wanted(sets))
        },
      ),
    )
  })

  test('has all there is down to the place to which it may go', async () => {
    await fc.assert(
      fc.asyncProperty(sixSets, pageSizes, textSets, async (sets, size, [from, last]) => {
        const all = await takeDownTo(
          combine(sets, size, (to) => last === undefined || to >= last),
          from,
          last,
        )
        expect(all).toEqual(
          wanted(sets).filter((text) => (!from || text < from) && (last === undefined || text >= last)),
        )
      }),
    )
  })

  test('does not go on below that place', async () => {
    const [even, odd] = [counted(numbered(10_000, 2), 20), counted(numbered(10_000, 2, 1), 20)]
    const last = 't019000'
    await takeDownTo(
      intersection([even.stream, odd.stream], (to) => to >= last),
      undefined,
      last,
    )
    expect(even.read.texts).toBeLessThan(600)
  })
})
