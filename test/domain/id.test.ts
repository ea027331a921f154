import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IdKind } from '#shared/domain/id.ts'
import { idBody, isId, makeId, makeOwnerCode, ownerCodeOf, timeCode, toBase32 } from '#shared/domain/id.ts'
import { idInstants, ownerCodes, randomBytes } from '../support/arbitraries.ts'
import { at, idOf, ourCode } from './made.ts'

const prefixes: Record<IdKind, string> = {
  owner: 'own',
  key: 'key',
  post: 'post',
  slot: 'slot',
  label: 'lbl',
  media: 'med',
  upload: 'upl',
  social: 'soc',
  publication: 'pub',
  webhook: 'whk',
  event: 'evt',
}
const kinds = Object.keys(prefixes) as IdKind[]

describe('an ID', () => {
  test.each(kinds)('of a %s says its kind, its owner and nothing that another kind would take', (kind) => {
    fc.assert(
      fc.property(ownerCodes, idInstants, randomBytes(16), (owner, now, random) => {
        const id = makeId(kind, { owner, now, random })
        expect(id).toMatch(new RegExp(`^${prefixes[kind]}_${owner}[0-9A-HJKMNP-TV-Z]{26}$`))
        expect(ownerCodeOf(id)).toBe(owner)
        expect(idBody(id)).toBe(id.slice(prefixes[kind].length + 1))
        expect(kinds.filter((other) => isId(other, id))).toEqual([kind])
      }),
      { numRuns: 20 },
    )
  })

  test('sorts by the millisecond of its creation, within an owner', () => {
    fc.assert(
      fc.property(
        ownerCodes,
        idInstants,
        idInstants,
        randomBytes(16),
        randomBytes(16),
        (owner, one, other, r1, r2) => {
          fc.pre(one !== other)
          const ids = [
            makeId('post', { owner, now: one, random: r1 }),
            makeId('post', { owner, now: other, random: r2 }),
          ]
          expect(ids[0]! < ids[1]!).toBe(one < other)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('made in the same millisecond differs by all 80 random bits', () => {
    const made = (random: Uint8Array) =>
      makeId('post', { owner: ourCode, now: at('2026-03-01T00:00:00Z'), random })
    for (let byte = 0; byte < 16; byte++) {
      for (let bit = 0; bit < 5; bit++) {
        const random = new Uint8Array(16)
        random[byte] = 1 << bit
        expect(made(random)).not.toBe(made(new Uint8Array(16)))
      }
    }
  })
})

test('the time in an ID is that of a ULID', () => {
  // The specification's own example: https://github.com/ulid/spec
  expect(timeCode(at('2016-07-30T23:54:10.259Z'))).toBe('01ARZ3NDEK')
  expect(timeCode(at('1970-01-01T00:00:00Z'))).toBe('0000000000')
})

test('time codes sort by time', () => {
  fc.assert(
    fc.property(idInstants, idInstants, (one, other) => {
      expect(timeCode(one) < timeCode(other)).toBe(one < other)
      expect(timeCode(one)).toHaveLength(10)
    }),
  )
})

test('base32 has five bits a character, and none that look alike', () => {
  const all = toBase32(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    256,
  )
  expect(new Set(all).size).toBe(32)
  expect(all).not.toMatch(/[ILOU]/)
  expect(toBase32(new Uint8Array(40), 7)).toHaveLength(7)
})

test('an owner code has ten characters', () => {
  expect(makeOwnerCode(new Uint8Array(16).fill(31))).toBe('ZZZZZZZZZZ')
})

describe('no ID of a label is', () => {
  const good = idOf('label', 7) as string
  test.each([
    { what: 'one in lower case', text: good.toLowerCase() },
    { what: 'one with its prefix in upper case', text: good.replace('lbl', 'LBL') },
    { what: 'one of another kind', text: idOf('post', 7) },
    { what: 'one without its prefix', text: idBody(idOf('label', 7)) },
    ...['I', 'L', 'O', 'U', 'u', 'é', '#', '/', '\0', ' '].map((character) => ({
      what: `one with ${JSON.stringify(character)}`,
      text: good.slice(0, -1) + character,
    })),
    { what: 'one that is too short', text: good.slice(0, -1) },
    { what: 'one that is too long', text: `${good}0` },
    { what: 'one with a partition behind it', text: `${good}#POST` },
    { what: 'one with a partition in it', text: `lbl_${ourCode}#F#draft#L#000000000000000` },
    { what: 'one with a line break behind it', text: `${good}\n` },
    { what: 'one on a second line', text: `x\n${good}` },
    { what: 'one with wide digits', text: good.replace('0', '０') },
    { what: 'the empty text', text: '' },
    { what: 'a prefix alone', text: 'lbl_' },
    { what: 'the name of a property', text: 'constructor' },
    { what: 'null', text: null },
    { what: 'a number', text: 7 },
    { what: 'a list of one', text: [good] },
    { what: 'an object that pretends', text: { toString: () => good } },
  ])('$what', ({ text }) => {
    expect(isId('label', good)).toBe(true)
    expect(isId('label', text)).toBe(false)
  })
})
