import { describe, expect, test } from 'vitest'
import { providerTypes } from '#shared/domain/network.ts'
import { account, create, makePost, media, messageOf, patch } from './made.ts'

const shortable = new Set<string>(['facebook', 'instagram', 'youtube', 'tiktok'])
const storyable = new Set<string>(['facebook', 'instagram'])
const targets = providerTypes.map((type) => ({ type }))

describe('publish types', () => {
  test.each([{ sent: undefined }, { sent: 'regular' }])('$sent is regular', ({ sent }) => {
    expect(create({ text: 'Hello', publish_type: sent }).publish_type).toBe('regular')
  })

  test.each(['reel', 'Story', '', null, 1])('%j is none', (publish_type) => {
    expect(messageOf(() => create({ text: 'Hello', publish_type }))).toBe(
      'publish_type must be one of: regular, short, story',
    )
  })
})

const blanks = [undefined, null, '', '   ', '\n\t\u00A0']

describe('a regular post (rule 2)', () => {
  test.each(blanks)('needs more text than %j', (text) => {
    expect(messageOf(() => create({ text, media: [media.image] }))).toBe('text is required')
  })

  test.each(targets)('goes to $type with a text alone', ({ type }) => {
    expect(messageOf(() => create({ text: 'x', accounts: [account[type]] }))).toBeUndefined()
  })

  test('needs no account and no media', () => {
    expect(messageOf(() => create({ text: ' x ' }))).toBeUndefined()
  })
})

describe('a short (rule 3)', () => {
  const fields = { publish_type: 'short', text: 'Watch', media: [media.video] }

  test.each(targets)('goes to $type only where shorts are known', ({ type }) => {
    const message = messageOf(() => create({ ...fields, accounts: [account[type]] }))
    const refused = 'accounts of a short post must all be among: facebook, instagram, youtube, tiktok'
    expect(message).toBe(shortable.has(type) ? undefined : refused)
    // One that knows no shorts is enough.
    expect(
      messageOf(() =>
        create({
          ...fields,
          accounts: [account.youtube, account[type]].filter((id, at, all) => all.indexOf(id) === at),
        }),
      ),
    ).toBe(message)
  })

  test('may be a draft without accounts', () => {
    expect(create(fields)).toMatchObject({ status: 'draft', accounts: [] })
  })

  test.each(blanks)('needs more text than %j', (text) => {
    expect(messageOf(() => create({ ...fields, text }))).toBe('text is required')
  })

  test('needs media', () => {
    expect(messageOf(() => create({ ...fields, media: [] }))).toBe(
      'media is required when publish_type is short',
    )
  })
})

describe('a story (rule 4)', () => {
  const fields = { publish_type: 'story', media: [media.image] }
  const needsText = 'text is required for a story on accounts that are not facebook or instagram'

  test.each(targets)('on $type needs a text where stories are not known', ({ type }) => {
    const accounts = [account[type]]
    expect(messageOf(() => create({ ...fields, accounts }))).toBe(storyable.has(type) ? undefined : needsText)
    expect(messageOf(() => create({ ...fields, accounts, text: '  ' }))).toBe(
      storyable.has(type) ? undefined : needsText,
    )
    expect(messageOf(() => create({ ...fields, accounts, text: 'x' }))).toBeUndefined()
  })

  test('on both kinds of accounts needs a text', () => {
    expect(
      messageOf(() => create({ ...fields, accounts: [account.facebook, account.instagram] })),
    ).toBeUndefined()
    expect(messageOf(() => create({ ...fields, accounts: [account.facebook, account.x] }))).toBe(needsText)
  })

  test('without accounts needs no text', () => {
    expect(messageOf(() => create(fields))).toBeUndefined()
  })

  test.each([{ text: 'x' }, { text: null }])('with text $text needs media', ({ text }) => {
    expect(messageOf(() => create({ ...fields, text, media: [] }))).toBe(
      'media is required when publish_type is story',
    )
  })
})

describe('rules hold on the merged post', () => {
  test.each([
    {
      before: makePost(),
      sent: { publish_type: 'short' },
      message: 'media is required when publish_type is short',
    },
    {
      before: makePost(),
      sent: { publish_type: 'story' },
      message: 'media is required when publish_type is story',
    },
    {
      before: makePost({ publish_type: 'short', media: [media.video] }),
      sent: { media: [] },
      message: 'media is required when publish_type is short',
    },
    {
      before: makePost({ publish_type: 'short', media: [media.video] }),
      sent: { accounts: [account.facebook, account.linkedin] },
      message: 'accounts of a short post must all be among: facebook, instagram, youtube, tiktok',
    },
    {
      before: makePost({ publish_type: 'story', media: [media.image], text: null }),
      sent: { accounts: [account.bluesky] },
      message: 'text is required for a story on accounts that are not facebook or instagram',
    },
    { before: makePost(), sent: { text: null }, message: 'text is required' },
    {
      before: makePost({ publish_type: 'story', media: [media.image], text: null }),
      sent: { publish_type: 'regular' },
      message: 'text is required',
    },
  ])('$sent: $message', ({ before, sent, message }) => {
    expect(messageOf(() => patch(before, sent))).toBe(message)
  })
})

describe('thumbnails (rule 5)', () => {
  const image = media.image
  const onlyThere = 'thumbnail_media_id is only supported when the post targets instagram or youtube'
  const oneVideo = 'thumbnail_media_id requires media to contain exactly one video'
  const anImage = 'thumbnail_media_id must be a completed image upload'
  const fields = {
    text: 'Watch',
    media: [media.video],
    thumbnail_media_id: image as string | null,
    accounts: [account.instagram],
  }

  test.each(targets)('$type', ({ type }) => {
    const message = messageOf(() => create({ ...fields, accounts: [account[type]] }))
    expect(message).toBe(['instagram', 'youtube'].includes(type) ? undefined : onlyThere)
    expect(
      messageOf(() =>
        create({
          ...fields,
          accounts: [account[type], account.youtube].filter((id, at, all) => all.indexOf(id) === at),
        }),
      ),
    ).toBeUndefined()
  })

  test.each([
    { when: 'the post has no accounts', sent: { accounts: [] }, message: onlyThere },
    { when: 'there is no media', sent: { media: [] }, message: oneVideo },
    { when: 'there is no video', sent: { media: [media.photo, media.gif] }, message: oneVideo },
    { when: 'there are two videos', sent: { media: [media.video, media.clip] }, message: oneVideo },
    {
      when: 'a video stands among images',
      sent: { media: [media.photo, media.video, media.gif] },
      message: undefined,
    },
    { when: 'the thumbnail is a GIF', sent: { thumbnail_media_id: media.gif }, message: anImage },
    { when: 'the thumbnail is a video', sent: { thumbnail_media_id: media.clip }, message: anImage },
    {
      when: 'the thumbnail is the video itself',
      sent: { thumbnail_media_id: media.video },
      message: anImage,
    },
    { when: 'nobody knows the thumbnail', sent: { thumbnail_media_id: 'upl_1' }, message: anImage },
    { when: 'there is none', sent: { thumbnail_media_id: null, accounts: [account.x] }, message: undefined },
    {
      when: 'the video is a reply’s',
      sent: { media: [], subposts: [{ media: [media.video] }] },
      message: oneVideo,
    },
    { when: 'it is a short', sent: { publish_type: 'short' }, message: undefined },
  ])('when $when: $message', ({ sent, message }) => {
    expect(messageOf(() => create({ ...fields, ...sent }))).toBe(message)
  })

  test.each([
    {
      when: 'a customization gives YouTube another one',
      of: account.youtube,
      sent: { thumbnail_media_id: media.photo },
      message: undefined,
    },
    {
      when: 'a customization takes it away',
      of: account.youtube,
      sent: { thumbnail_media_id: null, media: [] },
      message: undefined,
    },
    {
      when: 'a customization has two videos under the root’s',
      of: account.youtube,
      sent: { media: [media.video, media.clip] },
      message: `account_customizations[0].${oneVideo}`,
    },
    {
      when: 'a customization has a GIF',
      of: account.youtube,
      sent: { thumbnail_media_id: media.gif },
      message: `account_customizations[0].${anImage}`,
    },
    {
      when: 'a customization gives one to Facebook',
      of: account.facebook,
      sent: { thumbnail_media_id: media.photo },
      message:
        'account_customizations[0].thumbnail_media_id is only supported for instagram and youtube accounts',
    },
    {
      when: 'Facebook has other media under the root’s',
      of: account.facebook,
      sent: { media: [] },
      message: undefined,
    },
    {
      when: 'Facebook’s is null',
      of: account.facebook,
      sent: { thumbnail_media_id: null },
      message: undefined,
    },
  ])('when $when: $message', ({ of, sent, message }) => {
    const accounts = [account.instagram, account.youtube, account.facebook]
    const body = { ...fields, accounts, account_customizations: [{ id: of, ...sent }] }
    expect(messageOf(() => create(body))).toBe(message)
  })

  test('a customization may have one where the root has none', () => {
    const body = {
      ...fields,
      thumbnail_media_id: null,
      account_customizations: [{ id: account.instagram, thumbnail_media_id: image }],
    }
    expect(messageOf(() => create(body))).toBeUndefined()
    expect(messageOf(() => create({ ...body, media: [] }))).toBe(`account_customizations[0].${oneVideo}`)
  })
})

describe('nothing is named twice (rule 6)', () => {
  const twice = [media.image, media.image]
  test.each([
    { sent: { media: twice }, message: 'media must not contain duplicate media IDs' },
    {
      sent: { media: [media.image, { id: media.image }] },
      message: 'media must not contain duplicate media IDs',
    },
    {
      sent: { accounts: [account.x, account.x] },
      message: 'accounts must not contain duplicate account IDs',
    },
    {
      sent: { accounts: [account.x, { id: account.x, board_id: '1' }] },
      message: 'accounts must not contain duplicate account IDs',
    },
    { sent: { labels: ['lbl_1', 'lbl_2', 'lbl_1'] }, message: 'labels must not contain duplicate label IDs' },
    {
      sent: { subposts: [{ text: 'Reply', media: twice }] },
      message: 'subposts media must not contain duplicate media IDs',
    },
    {
      sent: { accounts: [account.x], account_customizations: [{ id: account.x, media: twice }] },
      message: 'media must not contain duplicate media IDs',
    },
    {
      sent: { accounts: [account.x], account_customizations: [{ id: account.x }, { id: account.x }] },
      message: 'account_customizations must not contain duplicate account IDs',
    },
  ])('$sent', ({ sent, message }) => {
    expect(messageOf(() => create({ text: 'Hello', ...sent }))).toBe(message)
  })

  test('the same media may be in the root, in replies and in customizations', () => {
    const one = [media.image]
    const sent = {
      text: 'Hello',
      media: one,
      subposts: [{ media: one }, { media: one }],
      accounts: [account.x],
      account_customizations: [{ id: account.x, media: one }],
    }
    expect(messageOf(() => create(sent))).toBeUndefined()
  })
})

describe('accounts (rule 7)', () => {
  test.each([
    { sent: [account.pinterest], kept: [{ id: account.pinterest, board_id: null }] },
    { sent: [{ id: account.pinterest }], kept: [{ id: account.pinterest, board_id: null }] },
    { sent: [{ id: account.pinterest, board_id: null }], kept: [{ id: account.pinterest, board_id: null }] },
    {
      sent: [{ id: account.pinterest, board_id: '12', name: 'x' }],
      kept: [{ id: account.pinterest, board_id: '12' }],
    },
    {
      sent: [account.x, { id: account.pinterest, board_id: '12' }],
      kept: [
        { id: account.x, board_id: null },
        { id: account.pinterest, board_id: '12' },
      ],
    },
  ])('$sent', ({ sent, kept }) => {
    expect(create({ text: 'Hello', accounts: sent }).accounts).toEqual(kept)
  })

  test.each([
    [7],
    [null],
    [{}],
    [{ board_id: '12' }],
    [{ id: 7 }],
    [{ id: account.x, board_id: 7 }],
    [[account.x]],
  ])('%j is none', (sent) => {
    expect(messageOf(() => create({ text: 'Hello', accounts: [sent] }))).toBe(
      'accounts must be an array of account IDs or { id, board_id } objects',
    )
  })
})

describe('customizations (rule 8)', () => {
  const fields = { text: 'Root', accounts: [account.facebook, account.x] }

  test('belong to an account of the post', () => {
    const account_customizations = [{ id: account.x }, { id: account.threads, text: 'Stray' }]
    expect(messageOf(() => create({ ...fields, account_customizations }))).toBe(
      'account_customizations[1].id must also be in accounts',
    )
  })

  test('belong to an account of the merged post', () => {
    const before = makePost({ account_customizations: [{ id: account.facebook, text: 'Other' }] })
    expect(messageOf(() => patch(before, { accounts: [account.x] }))).toBe(
      'account_customizations[0].id must also be in accounts',
    )
    expect(
      messageOf(() => patch(before, { accounts: [account.x], account_customizations: [] })),
    ).toBeUndefined()
  })

  test.each([
    { publishType: 'regular', root: {}, override: { text: '' }, of: account.x, message: 'text is required' },
    {
      publishType: 'regular',
      root: {},
      override: { text: null },
      of: account.x,
      message: 'text is required',
    },
    { publishType: 'regular', root: {}, override: {}, of: account.x, message: undefined },
    {
      publishType: 'regular',
      root: {},
      override: { media: [media.image] },
      of: account.x,
      message: undefined,
    },
    {
      publishType: 'short',
      root: {},
      override: { media: [] },
      of: account.facebook,
      message: 'media is required when publish_type is short',
    },
    {
      publishType: 'short',
      root: {},
      override: { text: ' ' },
      of: account.facebook,
      message: 'text is required',
    },
    {
      publishType: 'short',
      root: {},
      override: { title: 'Only this' },
      of: account.facebook,
      message: undefined,
    },
    { publishType: 'story', root: {}, override: { text: null }, of: account.facebook, message: undefined },
    {
      publishType: 'story',
      root: {},
      override: { text: null },
      of: account.x,
      message: 'text is required for a story on accounts that are not facebook or instagram',
    },
    {
      publishType: 'story',
      root: {},
      override: { media: [] },
      of: account.facebook,
      message: 'media is required when publish_type is story',
    },
  ])('$publishType with $override: $message', ({ publishType, override, of, message }) => {
    const accounts = publishType === 'short' ? [account.facebook] : fields.accounts
    const body = {
      ...fields,
      accounts,
      publish_type: publishType,
      media: publishType === 'regular' ? [] : [media.video],
    }
    const sent = { ...body, account_customizations: [{ id: of, ...override }] }
    expect(messageOf(() => create(body))).toBeUndefined()
    expect(messageOf(() => create(sent))).toBe(message && `account_customizations[0].${message}`)
  })

  test('do not mend the root', () => {
    const account_customizations = [
      { id: account.facebook, text: 'One' },
      { id: account.x, text: 'Other' },
    ]
    expect(messageOf(() => create({ ...fields, text: '', account_customizations }))).toBe('text is required')
  })

  test('keep only the fields that were sent', () => {
    const account_customizations = [{ id: account.x, title: null, colour: 'red' }]
    expect(create({ ...fields, account_customizations }).account_customizations).toEqual([
      { id: account.x, title: null },
    ])
  })
})
