import { describe, expect, test } from 'vitest'
import { characters, ctas, limits, privacyStatuses, topicTypes } from '#shared/domain/post-input.ts'
import { account, create, label, media, messageOf } from './made.ts'

const fields = { text: 'Hello', accounts: [account.pinterest] }

describe('legacy names', () => {
  const names: [string, string, unknown, unknown][] = [
    ['termsAndConditions', 'terms_and_conditions', 'Legacy', 'Official'],
    ['couponCode', 'coupon_code', 'LEGACY', 'OFFICIAL'],
    ['startDate', 'start_date', '2026-01-01', '2026-02-02'],
    ['endDate', 'end_date', '2026-01-01', '2026-02-02'],
    ['topicType', 'topic_type', 'EVENT', 'OFFER'],
    ['privacyStatus', 'privacy_status', 'public', 'private'],
    ['allowComments', 'allow_comments', true, false],
    ['allowDuet', 'allow_duet', true, false],
    ['allowStitch', 'allow_stitch', true, false],
  ]
  const inCustomizations = names.slice(0, 4)

  test.each(names)('%s is %s; where both are sent the official one wins', (legacy, official, one, other) => {
    expect(create({ ...fields, [legacy]: one })).toMatchObject({ [official]: one })
    expect(create({ ...fields, [legacy]: one, [official]: other })).toMatchObject({ [official]: other })
    expect(create({ ...fields, [official]: other, [legacy]: one })).toMatchObject({ [official]: other })
    expect(create({ ...fields, [legacy]: one, [official]: null })).toMatchObject({ [official]: null })
  })

  test.each(inCustomizations)('%s is %s in customizations too', (legacy, official, one, other) => {
    const customized = (fieldsOfIt: object) =>
      create({ ...fields, account_customizations: [{ id: account.pinterest, ...fieldsOfIt }] })
        .account_customizations
    expect(customized({ [legacy]: one })).toEqual([{ id: account.pinterest, [official]: one }])
    expect(customized({ [official]: other, [legacy]: one })).toEqual([
      { id: account.pinterest, [official]: other },
    ])
    expect(customized({ [legacy]: one, [official]: null })).toEqual([
      { id: account.pinterest, [official]: null },
    ])
  })

  test('boardId is board_id of an account', () => {
    const board = (reference: object) =>
      create({ ...fields, accounts: [{ id: account.pinterest, ...reference }] }).accounts[0]?.board_id
    expect(board({ boardId: '1' })).toBe('1')
    expect(board({ boardId: '1', board_id: '2' })).toBe('2')
    expect(board({ board_id: '2', boardId: '1' })).toBe('2')
    expect(board({ boardId: '1', board_id: null })).toBe(null)
  })

  test('a legacy value is checked as the official one is', () => {
    expect(messageOf(() => create({ ...fields, topicType: 'PARTY' }))).toBe(
      'topic_type must be one of: STANDARD, EVENT, OFFER',
    )
  })

  test('other fields have one name only', () => {
    expect(
      create({ ...fields, publishType: 'story', shortLinkEnabled: true, mediaIds: ['x'] }),
    ).toMatchObject({
      publish_type: 'regular',
      short_link_enabled: false,
      media: [],
    })
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a field named %s is ignored as any other',
    (name) => {
      const body = JSON.parse(`{"text":"Hello","${name}":{"text":"Other","status":"scheduled"}}`)
      expect(create(body)).toMatchObject({ text: 'Hello', status: 'draft' })
    },
  )
})

describe('an ID may be an object', () => {
  test('wherever one is expected', () => {
    const post = create({
      text: 'Hello',
      media: [{ id: media.video, type: 'video', url: 'https://…' }, media.gif],
      thumbnail_media_id: { id: media.image },
      labels: [{ id: label.one, title: 'Launch' }],
      accounts: [{ id: account.youtube, provider_type: 'youtube' }],
      subposts: [{ text: 'Reply', media: [{ id: media.photo }] }],
      account_customizations: [
        { id: account.youtube, media: [{ id: media.clip }], thumbnail_media_id: { id: media.photo } },
      ],
    })
    expect(post).toMatchObject({
      media: [media.video, media.gif],
      thumbnail_media_id: media.image,
      labels: [label.one],
      accounts: [{ id: account.youtube, board_id: null }],
      subposts: [{ text: 'Reply', media: [media.photo] }],
      account_customizations: [{ id: account.youtube, media: [media.clip], thumbnail_media_id: media.photo }],
    })
  })

  test.each([
    { sent: { media: [{}] }, message: 'media must be an array of media IDs' },
    { sent: { media: [7] }, message: 'media must be an array of media IDs' },
    { sent: { media: media.image }, message: 'media must be an array of media IDs' },
    { sent: { media: null }, message: 'media must be an array of media IDs' },
    { sent: { labels: [{ id: 7 }] }, message: 'labels must be an array of label IDs' },
    { sent: { labels: null }, message: 'labels must be an array of label IDs' },
    { sent: { thumbnail_media_id: {} }, message: 'thumbnail_media_id must be a media ID or null' },
    { sent: { thumbnail_media_id: 7 }, message: 'thumbnail_media_id must be a media ID or null' },
    { sent: { accounts: account.x }, message: 'accounts must be an array' },
    { sent: { accounts: null }, message: 'accounts must be an array' },
    {
      sent: { account_customizations: [{}] },
      message: 'account_customizations must be an array of objects with an id',
    },
    {
      sent: { account_customizations: [{ id: 7 }] },
      message: 'account_customizations id must be an account ID',
    },
    {
      sent: { account_customizations: ['x'] },
      message: 'account_customizations must be an array of objects with an id',
    },
    { sent: { account_customizations: {} }, message: 'account_customizations must be an array' },
    { sent: { subposts: {} }, message: 'subposts must be an array' },
    { sent: { subposts: ['Reply'] }, message: 'subposts must be an array of objects with text and media' },
    { sent: { subposts: [null] }, message: 'subposts must be an array of objects with text and media' },
  ])('but $sent is refused', ({ sent, message }) => {
    expect(messageOf(() => create({ ...fields, ...sent }))).toBe(message)
  })
})

describe('kinds of values', () => {
  const texts = ['text', 'title', 'link', 'terms_and_conditions', 'coupon_code', 'notes']
  test.each(texts)('%s is a string or null', (field) => {
    expect(messageOf(() => create({ ...fields, [field]: 7 }))).toBe(`${field} must be a string or null`)
    expect(messageOf(() => create({ ...fields, [field]: ['x'] }))).toBe(`${field} must be a string or null`)
  })

  test.each(['allow_comments', 'allow_duet', 'allow_stitch'])('%s is true, false or null', (field) => {
    for (const value of [true, false, null])
      expect(create({ ...fields, [field]: value })).toMatchObject({ [field]: value })
    expect(messageOf(() => create({ ...fields, [field]: 'true' }))).toBe(
      `${field} must be true, false or null`,
    )
  })

  test('short_link_enabled is true or false', () => {
    expect(messageOf(() => create({ ...fields, short_link_enabled: null }))).toBe(
      'short_link_enabled must be true or false',
    )
  })

  test.each([
    ['cta', ctas],
    ['topic_type', topicTypes],
    ['privacy_status', privacyStatuses],
  ] as const)('%s is one of the words that are told', (field, words) => {
    for (const word of [...words, null])
      expect(create({ ...fields, [field]: word })).toMatchObject({ [field]: word })
    const message = `${field} must be one of: ${words.join(', ')}`
    for (const word of [
      '',
      words[0].toLowerCase() === words[0] ? words[0].toUpperCase() : words[0].toLowerCase(),
      7,
    ]) {
      expect(messageOf(() => create({ ...fields, [field]: word }))).toBe(message)
    }
  })

  test.each(['start_date', 'end_date'])(
    '%s is a date, or a datetime with offset, and is answered as the kind that was sent',
    (field) => {
      for (const [sent, answered = sent] of [
        ['2026-12-01'],
        ['2024-02-29'],
        ['2026-12-01T10:00:00+01:00', '2026-12-01T09:00:00.000Z'],
        ['2026-12-01T10:00Z', '2026-12-01T10:00:00.000Z'],
        [null],
      ]) {
        expect(create({ ...fields, [field]: sent })).toMatchObject({ [field]: answered })
      }
      for (const date of ['2026-02-29', '2026-12-01T10:00:00', '01.12.2026', '2026-12', '', '2026-13-01']) {
        expect(messageOf(() => create({ ...fields, [field]: date }))).toBe(
          `${field} must be an ISO 8601 date, or a datetime with offset`,
        )
      }
    },
  )
})

describe('limits', () => {
  const many = (count: number, kind = 'med') =>
    Array.from({ length: count }, (_, index) => `${kind}_${index}`)
  const socials = (count: number) => many(count, 'soc')
  const customized = (sent: object) => ({
    accounts: [account.x],
    account_customizations: [{ id: account.x, ...sent }],
  })

  test.each([
    {
      what: 'text',
      most: 65_536,
      sent: (n: number) => ({ text: 'a'.repeat(n) }),
      message: 'text must be at most 65,536 characters',
    },
    {
      what: 'text of a reply',
      most: 65_536,
      sent: (n: number) => ({ subposts: [{ text: 'a'.repeat(n) }] }),
      message: 'subposts text must be at most 65,536 characters',
    },
    {
      what: 'text of a customization',
      most: 65_536,
      sent: (n: number) => customized({ text: 'a'.repeat(n) }),
      message: 'text must be at most 65,536 characters',
    },
    {
      what: 'notes',
      most: 10_000,
      sent: (n: number) => ({ notes: '👍'.repeat(n) }),
      message: 'notes must be at most 10,000 characters',
    },
    {
      what: 'title',
      most: 300,
      sent: (n: number) => ({ title: '👍'.repeat(n) }),
      message: 'title must be at most 300 characters',
    },
    {
      what: 'title of a customization',
      most: 300,
      sent: (n: number) => customized({ title: 'é'.repeat(n) }),
      message: 'title must be at most 300 characters',
    },
    {
      what: 'media',
      most: 20,
      sent: (n: number) => ({ media: many(n) }),
      message: 'media must have at most 20 items',
    },
    {
      what: 'media of a reply',
      most: 20,
      sent: (n: number) => ({ subposts: [{ media: many(n) }] }),
      message: 'subposts media must have at most 20 items',
    },
    {
      what: 'media of a customization',
      most: 20,
      sent: (n: number) => customized({ media: many(n) }),
      message: 'media must have at most 20 items',
    },
    {
      what: 'replies',
      most: 25,
      sent: (n: number) => ({ subposts: many(n).map((text) => ({ text })) }),
      message: 'subposts must have at most 25 items',
    },
    {
      what: 'accounts',
      most: 20,
      sent: (n: number) => ({ accounts: socials(n) }),
      message: 'accounts must have at most 20 items',
    },
    {
      what: 'labels',
      most: 20,
      sent: (n: number) => ({ labels: many(n, 'lbl') }),
      message: 'labels must have at most 20 items',
    },
  ])('$what: at most $most', ({ most, sent, message }) => {
    expect(messageOf(() => create({ text: 'Hello', ...sent(most) }))).toBeUndefined()
    expect(messageOf(() => create({ text: 'Hello', ...sent(most + 1) }))).toBe(message)
  })

  test('characters are code points, not UTF-16 units', () => {
    expect(characters('👍🏽')).toBe(2)
    expect(characters('e\u0301')).toBe(2)
    const text = '👍'.repeat(limits.textCharacters)
    expect(messageOf(() => create({ text }))).toBeUndefined()
    expect(messageOf(() => create({ text: `${text}!` }))).toBe('text must be at most 65,536 characters')
  })
})
