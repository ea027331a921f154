/**
 * Texts in descending order, read no further than they are asked for: any of several streams, and all of several. Knows
 * neither posts nor the table.
 */

/** From where on to look; without either, from the top. */
export type Bound = { before?: string; upTo?: string }

/**
 * Where a stream stands: at the greatest of its texts within the bound or, when it gave up, at a place down to which
 * it has none, that place included.
 */
export interface Place {
  at: string
  isText: boolean
}

/** Texts in descending order, each once. One seek at a time, each with a bound below the last one's. */
export interface SortedStream {
  /** Undefined when there is no text within the bound. */
  seek(bound: Bound): Promise<Place | undefined>
}

/** A stream of what `read` finds within a bound, greatest first: everything, or as much as a page holds, and `more`. */
export function pagedStream(
  read: (bound: Bound) => Promise<{ texts: string[]; more: boolean }>,
): SortedStream {
  let page = { texts: [] as string[], more: true }
  return {
    async seek(bound) {
      const rest = page.texts.findIndex((text) => isWithin(bound, text))
      page = { ...page, texts: rest < 0 ? [] : page.texts.slice(rest) }
      if (page.texts.length === 0 && page.more) page = await read(bound)
      const [at] = page.texts
      return at === undefined ? undefined : { at, isText: true }
    },
  }
}

const isWithin = ({ before, upTo }: Bound, text: string): boolean =>
  (before === undefined || text < before) && (upTo === undefined || text <= upTo)

/** What any of the streams has, each text once: a merge. The streams are read in parallel. */
export const union = (streams: SortedStream[]): SortedStream => ({
  async seek(bound) {
    const places = (await seekAll(streams, bound)).filter((place) => place !== undefined)
    if (places.length === 0) return undefined
    const at = highestOf(places)
    // Where one stream gave up, another may have a text.
    return { at, isText: places.some((place) => place.isText && place.at === at) }
  },
})

/**
 * What all of the streams have, by leapfrog: each seeks the lowest place of the others, until they meet. `goesOn` is
 * asked before every leap to such a place; when it refuses, the stream has given up as far as it came. Every seek comes
 * further than the one before.
 */
export function intersection(
  streams: SortedStream[],
  goesOn: (to: string) => boolean = () => true,
): SortedStream {
  let hasEnded = streams.length === 0
  return {
    async seek(bound) {
      if (hasEnded) return undefined
      for (let places = await seekAll(streams, bound); ; ) {
        // Once one of them has no more, the others need not be read on.
        if (!places.every((place) => place !== undefined)) {
          hasEnded = true
          return undefined
        }
        const lowest = lowestOf(places)
        const above = places.filter(({ at }) => at > lowest)
        const hasGivenUp = places.some(({ at, isText }) => at === lowest && !isText)
        if (above.length === 0 || hasGivenUp) return { at: lowest, isText: !hasGivenUp }
        // All that is above the lowest place was looked at.
        if (!goesOn(lowest)) return { at: lowestOf(above), isText: false }
        places = await seekAll(streams, { upTo: lowest })
      }
    },
  }
}

const seekAll = (streams: SortedStream[], bound: Bound) =>
  Promise.all(streams.map((stream) => stream.seek(bound)))

const highestOf = (places: Place[]): string => places.reduce((high, { at }) => (at > high ? at : high), '')

const lowestOf = (places: Place[]): string =>
  places.map(({ at }) => at).reduce((low, at) => (at < low ? at : low))

/** What was taken from a stream, and why no more: it was enough, there is no more, or the stream gave up. */
export interface Taken {
  texts: string[]
  /** Everything from here upwards was looked at; undefined while nothing was. */
  reached: string | undefined
  because: 'enough' | 'end' | 'gaveUp'
}

/** The next texts below `from`, so many at most. */
export async function take(stream: SortedStream, from: string | undefined, count: number): Promise<Taken> {
  const texts: string[] = []
  let reached = from
  while (texts.length < count) {
    const place = await stream.seek(below(reached))
    if (!place) return { texts, reached, because: 'end' }
    reached = place.at
    if (!place.isText) return { texts, reached, because: 'gaveUp' }
    texts.push(place.at)
  }
  return { texts, reached, because: 'enough' }
}

/** All texts below `from`, down to this one and including it; to the end when it is undefined. */
export async function takeDownTo(
  stream: SortedStream,
  from: string | undefined,
  last: string | undefined,
): Promise<string[]> {
  const texts: string[] = []
  for (let place = await stream.seek(below(from)); place; place = await stream.seek(below(place.at))) {
    if (last !== undefined && place.at < last) break
    if (place.isText) texts.push(place.at)
  }
  return texts
}

const below = (text: string | undefined): Bound => (text === undefined ? {} : { before: text })
