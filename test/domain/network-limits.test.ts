import { describe, expect, test } from 'vitest'
import { networks, type ProviderType, providerTypes } from '#shared/domain/network.ts'
import { account, create, makePost, media, messageOf, patch, refusalOf, soon } from './made.ts'

const family = '👨‍👩‍👧‍👦'
const queued = { status: 'scheduled', scheduled_at: soon }
const schedule = (type: ProviderType, fields: object) =>
  messageOf(() => create({ ...queued, accounts: [account[type]], ...fields }))
/** A text of so many units. */
const units = (count: number, unit: string, filler = '') => unit.repeat(count) + filler

describe('a text at the limit is accepted, one more is not', () => {
  const rows: { type: ProviderType; what: string; text: string; more: string; allowed: string }[] = [
    {
      type: 'facebook',
      what: 'code points',
      text: units(63_206, '👍'),
      more: 'a',
      allowed: '63206 characters',
    },
    {
      type: 'instagram',
      what: 'code points',
      text: units(2_200, '👍'),
      more: 'a',
      allowed: '2200 characters',
    },
    { type: 'youtube', what: 'bytes', text: units(2_500, 'é'), more: 'a', allowed: '5000 bytes' },
    { type: 'tiktok', what: 'UTF-16 units', text: units(1_100, '👍'), more: 'a', allowed: '2200 characters' },
    {
      type: 'linkedin',
      what: 'code points',
      text: units(3_000, '👍'),
      more: 'a',
      allowed: '3000 characters',
    },
    { type: 'pinterest', what: 'code points', text: units(800, 'é'), more: 'a', allowed: '800 characters' },
    {
      type: 'google_business',
      what: 'code points',
      text: units(1_500, '日'),
      more: 'a',
      allowed: '1500 characters',
    },
    { type: 'bluesky', what: 'characters', text: units(300, '👍'), more: 'a', allowed: '300 characters' },
    {
      type: 'bluesky',
      what: 'characters of several code points',
      text: units(300, 'e\u0301'),
      more: 'a',
      allowed: '300 characters',
    },
    { type: 'bluesky', what: 'bytes', text: units(120, family), more: 'a', allowed: '3000 bytes' },
    { type: 'mastodon', what: 'characters', text: units(500, 'é'), more: 'a', allowed: '500 characters' },
    {
      type: 'mastodon',
      what: 'characters of several code points',
      text: units(500, '👍🏽'),
      more: 'a',
      allowed: '500 characters',
    },
    {
      type: 'mastodon',
      what: 'URLs as 23',
      text: units(20, `https://example.com/${'a'.repeat(99)} `, units(20, 'b')),
      more: 'a',
      allowed: '500 characters',
    },
    {
      type: 'mastodon',
      what: 'mentions without their domain',
      text: units(83, '@anna@mastodon.social ', 'bb'),
      more: 'a',
      allowed: '500 characters',
    },
    { type: 'threads', what: 'code points', text: units(500, '👍'), more: 'a', allowed: '500 characters' },
    { type: 'x', what: 'Latin', text: units(280, 'é'), more: 'a', allowed: '280 characters' },
    { type: 'x', what: 'CJK', text: units(140, '語'), more: 'a', allowed: '280 characters' },
    { type: 'x', what: 'emoji', text: units(140, family), more: 'a', allowed: '280 characters' },
    {
      type: 'x',
      what: 'URLs as 23',
      text: units(11, 'https://example.com/a-long-path-that-is-shortened ', units(16, 'b')),
      more: 'a',
      allowed: '280 characters',
    },
  ]
  test.each(rows)('$type: $what, $allowed', ({ type, text, more, allowed }) => {
    expect(schedule(type, { text })).toBeUndefined()
    expect(schedule(type, { text: text + more })).toBe(
      `accounts[${account[type]}]: ${type} allows at most ${allowed}`,
    )
  })

  test('the table knows every network', () => {
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(providerTypes))
  })
})

test('the message names the account and the network, in these words', () => {
  const id = account.bluesky
  expect(refusalOf(() => create({ ...queued, accounts: [id], text: 'a'.repeat(301) }))).toEqual({
    status: 400,
    message: `accounts[${id}]: bluesky allows at most 300 characters`,
    fields: [`accounts[${id}]`],
  })
})

test('every account that refuses is named, in the order of the accounts', () => {
  const accounts = [account.facebook, account.x, account.linkedin, account.bluesky]
  expect(refusalOf(() => create({ ...queued, accounts, text: 'a'.repeat(400) }))).toMatchObject({
    message: `accounts[${account.x}]: x allows at most 280 characters`,
    fields: [`accounts[${account.x}]`, `accounts[${account.bluesky}]`],
  })
})

describe('replies count as the network counts them', () => {
  test.each([
    { type: 'bluesky' as const, most: 300 },
    { type: 'mastodon' as const, most: 500 },
    { type: 'x' as const, most: 280 },
    { type: 'threads' as const, most: 500 },
    { type: 'linkedin' as const, most: 1_250 },
    { type: 'instagram' as const, most: 2_200 },
  ])('$type: $most', ({ type, most }) => {
    const withReply = (length: number) => ({
      text: 'Hello',
      subposts: [{ text: 'Fine' }, { text: null }, { text: 'a'.repeat(length) }],
    })
    expect(schedule(type, withReply(most))).toBeUndefined()
    expect(schedule(type, withReply(most + 1))).toBe(
      `accounts[${account[type]}]: ${type} allows at most ${most} characters in a subpost`,
    )
  })
})

describe('titles have their own limit', () => {
  test.each(providerTypes)('%s', (type) => {
    const most = networks[type].title?.max
    expect(schedule(type, { text: 'Hello', title: '👍'.repeat(100) })).toBeUndefined()
    expect(schedule(type, { text: 'Hello', title: '👍'.repeat(101) })).toBe(
      most && `accounts[${account[type]}]: ${type} allows at most 100 characters in title`,
    )
  })
})

describe('what counts is what the account gets', () => {
  const long = 'a'.repeat(400)
  const accounts = [account.x, account.facebook]
  const message = `accounts[${account.x}]: x allows at most 280 characters`
  const customized = (sent: object) => ({
    text: long,
    accounts,
    account_customizations: [{ id: account.x, ...sent }],
  })

  test.each([
    {
      when: 'the root is too long, and the account has a short text',
      body: customized({ text: 'Short' }),
      expected: undefined,
    },
    {
      when: 'the root is too long, and the account has only a title',
      body: customized({ title: 'Title' }),
      expected: message,
    },
    {
      when: 'only the account’s text is too long',
      body: { ...customized({ text: long }), text: 'Short' },
      expected: message,
    },
    {
      when: 'another account’s text is long',
      body: { text: 'Short', accounts, account_customizations: [{ id: account.facebook, text: long }] },
      expected: undefined,
    },
    {
      when: 'the account has no replies where the root has a long one',
      body: {
        text: 'Short',
        accounts,
        subposts: [{ text: long }],
        account_customizations: [{ id: account.x, subposts: [] }],
      },
      expected: undefined,
    },
  ])('$when', ({ body, expected }) => {
    expect(messageOf(() => create({ ...queued, ...body }))).toBe(expected)
  })
})

describe('limits are looked at when a post is queued, and while it is', () => {
  const long = 'a'.repeat(281)
  const onX = { accounts: [{ id: account.x, board_id: null }] }
  const message = `accounts[${account.x}]: x allows at most 280 characters`

  test('a draft may break them', () => {
    expect(messageOf(() => create({ text: long, accounts: [account.x] }))).toBeUndefined()
    expect(messageOf(() => patch(makePost(onX), { text: long }))).toBeUndefined()
  })

  test('a draft that breaks them cannot be scheduled, nor sent to approval', () => {
    for (const requiresApproval of [false, true]) {
      expect(messageOf(() => patch(makePost({ ...onX, text: long }), queued, { requiresApproval }))).toBe(
        message,
      )
    }
  })

  test.each(['scheduled', 'pending_approval'] as const)('a %s post cannot come to break them', (status) => {
    expect(messageOf(() => patch(makePost({ ...onX, status, scheduled_at: soon }), { text: long }))).toBe(
      message,
    )
    expect(
      messageOf(() => patch(makePost({ status, scheduled_at: soon, text: long }), { accounts: [account.x] })),
    ).toBe(message)
  })

  test('one that breaks them can be taken back', () => {
    const before = makePost({ ...onX, status: 'scheduled', scheduled_at: soon, text: long })
    expect(patch(before, { status: 'draft' }).status).toBe('draft')
  })

  test.each(['published', 'failed'] as const)(
    'a %s post may be edited to break them, but not queued again',
    (status) => {
      const before = makePost({ ...onX, status, scheduled_at: soon })
      expect(messageOf(() => patch(before, { text: long }))).toBeUndefined()
      expect(messageOf(() => patch(before, { text: long, ...queued }))).toBe(message)
    },
  )
})

describe('media and subposts that a network does not take, when it is scheduled', () => {
  const pictures = Array.from(
    { length: 11 },
    (_, n) => `${media.image.slice(0, -2)}${String(n + 50)}` as never,
  )
  const mediaTypes = {
    [media.video]: 'video',
    ...Object.fromEntries(pictures.map((id) => [id, 'image'])),
  } as never
  const refusal = (type: ProviderType, fields: object) => {
    const input = { text: 'Hello', ...queued, accounts: [account[type]], ...fields }
    return messageOf(() => create(input, { mediaTypes }))
  }
  const named = (type: ProviderType, limit: string) => `accounts[${account[type]}]: ${type} ${limit}`

  test.each([
    { type: 'bluesky', fields: { media: pictures.slice(0, 5) }, limit: 'allows at most 4 images' },
    { type: 'facebook', fields: { media: pictures }, limit: 'allows at most 10 images' },
    { type: 'google_business', fields: { media: [media.video] }, limit: 'allows at most 0 videos' },
    {
      type: 'x',
      fields: { media: [media.video, ...pictures.slice(0, 1)] },
      limit: 'does not take images and videos together',
    },
    {
      type: 'pinterest',
      fields: { subposts: [{ text: 'More', media: [] }] },
      limit: 'does not take subposts',
    },
    {
      type: 'mastodon',
      fields: { subposts: [{ text: 'More', media: pictures.slice(0, 5) }] },
      limit: 'allows at most 4 images',
    },
  ] as const)('$type $limit', ({ type, fields, limit }) => {
    expect(refusal(type, fields)).toBe(named(type, limit))
    expect(refusal(type, { ...fields, status: 'draft', scheduled_at: undefined })).toBeUndefined()
  })

  test('what is within the limits is taken', () => {
    expect(refusal('bluesky', { media: pictures.slice(0, 4) })).toBeUndefined()
    expect(refusal('instagram', { media: [media.video, ...pictures.slice(0, 9)] })).toBeUndefined()
  })
})
