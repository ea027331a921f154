/**
 * IDs name their kind, their owner and their millisecond: `post_<owner code><time><random>`, in Crockford base32.
 * So one owner's IDs sort by creation, and an ID alone tells in which partition its item lies.
 * The 26 characters behind the owner code are a ULID: https://github.com/ulid/spec
 */
import type { Instant } from './instant.ts'
import { millisecondsOf } from './instant.ts'

const prefixes = {
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
} as const

export type IdKind = keyof typeof prefixes
declare const kind: unique symbol
/** An ID of one kind. */
export type Id<Kind extends IdKind> = string & { readonly [kind]: Kind }
declare const code: unique symbol
/** The ten characters by which IDs and keys of the table name an owner. */
export type OwnerCode = string & { readonly [code]: true }

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ownerCodeLength = 10
const timeLength = 10
const randomLength = 16

/** Random bytes that one ID needs, beside those of its owner's code. */
export const idRandomBytes = randomLength

/** The ID of something that the owner makes now. Each of the 16 bytes gives five of the 80 random bits. */
export function makeId<Kind extends IdKind>(
  ofKind: Kind,
  { owner, now, random }: { owner: OwnerCode; now: Instant; random: Uint8Array },
): Id<Kind> {
  return `${prefixes[ofKind]}_${owner}${timeCode(now)}${toBase32(random, randomLength)}` as Id<Kind>
}

/** A new owner's code. Fifty random bits: the write that creates the owner refuses one that is taken. */
export const makeOwnerCode = (random: Uint8Array): OwnerCode => toBase32(random, ownerCodeLength) as OwnerCode

/** Crockford base32 with five random bits from each byte. */
export function toBase32(bytes: Uint8Array, length: number): string {
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte & 31]).join('')
}

const shapes = Object.fromEntries(
  Object.entries(prefixes).map(([name, prefix]) => [name, new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{36}$`)]),
) as Record<IdKind, RegExp>

/** Whether the text is an ID of this kind; whether anything bears it is the table's knowledge. */
export const isId = <Kind extends IdKind>(ofKind: Kind, text: unknown): text is Id<Kind> =>
  typeof text === 'string' && shapes[ofKind].test(text)

/** The code of the owner whose item the ID names. */
export function ownerCodeOf(id: Id<IdKind>): OwnerCode {
  const start = id.indexOf('_') + 1
  return id.slice(start, start + ownerCodeLength) as OwnerCode
}

/** What follows the prefix and the underscore: unique on its own, and in order of creation for one owner. */
export const idBody = (id: Id<IdKind>): string => id.slice(id.indexOf('_') + 1)

/** An instant as ten characters that sort by time: the first part of a ULID. */
export function timeCode(at: Instant): string {
  let rest = millisecondsOf(at)
  let text = ''
  for (let place = 0; place < timeLength; place++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
