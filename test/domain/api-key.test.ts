import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApiKey } from '#shared/domain/api-key.ts'
import {
  hasSecret,
  keyText,
  makeSecret,
  maskKey,
  parseKeyText,
  sameDigest,
  secretLength,
  sha256,
} from '#shared/domain/api-key.ts'
import { idBody, makeId } from '#shared/domain/id.ts'
import { idInstants, ownerCodes, randomBytes } from '../support/arbitraries.ts'
import { idOf, now, ourCode } from './made.ts'

const keyIds = fc
  .tuple(ownerCodes, idInstants, randomBytes(16))
  .map(([owner, made, random]) => makeId('key', { owner, now: made, random }))

test('the text of a key holds its ID and its secret, and only its digest is needed to know it again', () => {
  fc.assert(
    fc.property(keyIds, randomBytes(secretLength), randomBytes(secretLength), (id, bytes, otherBytes) => {
      const [secret, other] = [makeSecret(bytes), makeSecret(otherBytes)]
      expect(parseKeyText(keyText(id, secret))).toEqual({ id, secret })
      expect(keyText(id, secret)).toMatch(/^ph_[0-9A-Z]{36}_[0-9A-Z]{40}$/)
      const key: ApiKey = {
        id,
        owner_id: idOf('owner', 1),
        name: 'Key',
        secret_sha256: sha256(secret),
        last_four: secret.slice(-4),
        created_at: now,
        last_used_at: null,
      }
      expect(hasSecret(key, secret)).toBe(true)
      expect(hasSecret(key, other)).toBe(secret === other)
      expect(hasSecret(key, secret.slice(0, -1))).toBe(false)
      expect(hasSecret(key, key.secret_sha256)).toBe(false)
      expect(JSON.stringify(key)).not.toContain(secret)
    }),
  )
})

test('a secret has at least 190 random bits', () => {
  // Five bits a character, each from a byte of its own.
  expect(secretLength * 5).toBeGreaterThanOrEqual(190)
  for (let byte = 0; byte < secretLength; byte++) {
    const bytes = new Uint8Array(secretLength)
    bytes[byte] = 31
    expect(makeSecret(bytes)).not.toBe(makeSecret(new Uint8Array(secretLength)))
  }
})

describe('no key is', () => {
  const good = keyText(idOf('key', 1), 'S'.repeat(40))
  const body = idBody(idOf('key', 1))
  test.each([
    { what: 'nothing', text: '' },
    { what: 'a prefix', text: 'ph_' },
    { what: 'one with another prefix', text: good.replace('ph_', 'sk_') },
    { what: 'one with an upper-case prefix', text: good.replace('ph_', 'PH_') },
    { what: 'one without a secret', text: `ph_${body}` },
    { what: 'one with an empty secret', text: `ph_${body}_` },
    { what: 'one with a fourth part', text: `${good}_more` },
    { what: 'one with the ID in lower case', text: good.toLowerCase() },
    { what: 'one with half an ID', text: `ph_${body.slice(1)}_${'S'.repeat(40)}` },
    { what: 'one with an ID that leads elsewhere', text: `ph_${body.slice(0, -4)}#KEY_${'S'.repeat(40)}` },
    { what: 'one with a blank before it', text: ` ${good}` },
    { what: 'one with its scheme', text: `Bearer ${good}` },
    { what: 'an ID of a key', text: idOf('key', 1) },
  ])('$what', ({ text }) => {
    expect(parseKeyText(good)).toBeDefined()
    expect(parseKeyText(text)).toBeUndefined()
  })
})

test('what is shown of a key has nothing of its secret, nor of what makes its ID hard to guess', () => {
  fc.assert(
    fc.property(keyIds, (id) => {
      const masked = maskKey(id)
      expect(masked).toMatch(/^ph_[0-9A-Z]{1,20}\*{4}$/)
      expect(idBody(id).startsWith(masked.slice(3, -4))).toBe(true)
      expect(parseKeyText(masked)).toBeUndefined()
    }),
  )
  expect(maskKey(idOf('key', 1))).toMatch(new RegExp(`^ph_${ourCode}`))
})

test('digests are the same when every one of their 256 bits is', () => {
  const digest = sha256('a secret')
  expect(sameDigest(digest, sha256('a secret'))).toBe(true)
  for (let place = 0; place < digest.length; place++) {
    const other = digest.slice(0, place) + (digest[place] === '0' ? '1' : '0') + digest.slice(place + 1)
    expect(sameDigest(digest, other)).toBe(false)
  }
})

test('SHA-256 is SHA-256', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
