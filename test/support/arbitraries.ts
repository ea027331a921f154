/** Random values for properties. fast-check shrinks them, and prints the seed that replays a failure. */
import fc from 'fast-check'
import type { OwnerCode } from '#shared/domain/id.ts'
import { instantAt } from '#shared/domain/instant.ts'

/** Milliseconds since 1970 of any instant from year 0 to year 9999, the ends included more often than chance has it. */
export const milliseconds = fc.integer({
  min: Date.parse('0000-01-01T00:00:00.000Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
})

export const instants = milliseconds.map(instantAt)

/** Instants that IDs can name: a ULID counts from 1970. */
export const idInstants = fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') }).map(instantAt)

export const randomBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

export const ownerCodes = fc
  .array(fc.constantFrom(...Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')), { minLength: 10, maxLength: 10 })
  .map((characters) => characters.join('') as OwnerCode)

/** Names that are hard to sort: ties, prefixes of each other, mixed case, emoji beside characters just below them. */
export const displayNames = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'aa',
    'AA',
    'ab',
    'a b',
    'a!',
    'B',
    'b',
    'É',
    'é',
    'e\u0301',
    'ß',
    'İ',
    'Ω',
    'Z',
    '~',
  ),
  // U+FFFD sorts before an emoji in code points and after it in UTF-16.
  fc.constantFrom('\u{1F44D}', '\uFFFD', '\u{1F44D}a', '\uFB01', '\u{1F44D}\u{1F3FD}', 'a\u{1F44D}'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
    .filter((name) => /^\P{Cc}+$/u.test(name) && name.trim() !== ''),
)
