/**
 * Node reads every source map when it loads the script, and most of ours would describe packages: leaving those out
 * saves half of what maps cost a cold start, and most of their weight. Packages then appear in stack traces as bundled.
 */

interface SourceMap {
  version: 3
  sources: string[]
  names: string[]
  mappings: string
}

/** The numbers of one mapping, not relative to the one before: column, and where it comes from if that is known. */
type Segment = [column: number] | [column: number, source: number, line: number, sourceColumn: number]

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The same map without what it says of files in `node_modules`, and without names. */
export function ownSourceMap(text: string): string {
  const map = JSON.parse(text) as SourceMap
  const isOwn = map.sources.map((source) => !source.includes('node_modules/'))
  const sources = map.sources.filter((_, index) => isOwn[index])
  const newIndex = map.sources.map((source) => sources.indexOf(source))
  const lines = decode(map.mappings).map((segments) =>
    segments
      .map((segment): Segment => {
        const [column, source, line, sourceColumn] = segment
        if (source === undefined || !isOwn[source]) return [column]
        return [column, newIndex[source] ?? 0, line ?? 0, sourceColumn ?? 0]
      })
      // Of what is not ours only the beginning counts: it ends the mapping before it.
      .filter((segment, index, all) => segment.length > 1 || (all[index - 1]?.length ?? 1) > 1),
  )
  return JSON.stringify({ version: 3, sources, names: [], mappings: encode(lines) })
}

function decode(mappings: string): Segment[][] {
  const last = [0, 0, 0, 0]
  return mappings.split(';').map((line) => {
    last[0] = 0
    const segments = line.split(',').filter((segment) => segment !== '')
    return segments.map((segment) => {
      const differences = readNumbers(segment).slice(0, 4)
      return differences.map(
        (difference, field) => (last[field] = (last[field] ?? 0) + difference),
      ) as Segment
    })
  })
}

function encode(lines: Segment[][]): string {
  const last = [0, 0, 0, 0]
  return lines
    .map((segments) => {
      last[0] = 0
      return segments
        .map((segment) => segment.map((value, field) => writeNumber(relative(value, field))).join(''))
        .join()
    })
    .join(';')

  function relative(value: number, field: number): number {
    const difference = value - (last[field] ?? 0)
    last[field] = value
    return difference
  }
}

/** Base64 VLQ, as source maps have it: 5 bits a digit, the lowest first; the very lowest bit is the sign. */
function readNumbers(text: string): number[] {
  const numbers: number[] = []
  let [bits, shift] = [0, 0]
  for (const letter of text) {
    const digit = digits.indexOf(letter)
    bits |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(bits & 1 ? -(bits >>> 1) : bits >>> 1)
    bits = shift = 0
  }
  return numbers
}

function writeNumber(number: number): string {
  let bits = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const rest = bits >>> 5
    text += digits[(bits & 31) | (rest > 0 ? 32 : 0)]
    bits = rest
  } while (bits > 0)
  return text
}
