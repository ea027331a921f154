/** API keys: `ph_<key id without its prefix>_<secret>`. The secret is shown once; only its SHA-256 is kept. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Id } from './id.ts'
import { idBody, isId, toBase32 } from './id.ts'
import type { Instant } from './instant.ts'

export interface ApiKey {
  id: Id<'key'>
  owner_id: Id<'owner'>
  name: string
  secret_sha256: string
  last_four: string
  created_at: Instant
  last_used_at: Instant | null
}

/** Five random bits a character: 200 bits. */
export const secretLength = 40

export const makeSecret = (random: Uint8Array): string => toBase32(random, secretLength)

export const keyText = (id: Id<'key'>, secret: string): string => `ph_${idBody(id)}_${secret}`

/** The ID and secret in the text of a key; undefined when it has not the shape of one. */
export function parseKeyText(text: string): { id: Id<'key'>; secret: string } | undefined {
  const [prefix, body, secret, ...rest] = text.split('_')
  const id = `key_${body}`
  if (prefix !== 'ph' || !secret || rest.length > 0 || !isId('key', id)) return undefined
  return { id, secret }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Whether this is the key's secret, in a time that does not tell how much of it is right. */
export const hasSecret = ({ secret_sha256 }: ApiKey, secret: string): boolean =>
  sameDigest(secret_sha256, sha256(secret))

/** Compares two SHA-256 digests in constant time. */
export const sameDigest = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))

/** What may be shown of a key that was sent: enough to recognise it, nothing to use. */
export const maskKey = (id: Id<'key'>): string => `ph_${idBody(id).slice(0, 14)}****`
