import { describe, expect, test } from 'vitest'
import { checkReferences, noReferences, plausible, referencesOf, without } from '#shared/domain/reference.ts'
import { account, idOf, label, makePost, media, ourCode, refusalOf, theirCode } from './made.ts'

const theirs = {
  media: idOf('media', 1, theirCode),
  labels: idOf('label', 1, theirCode),
  accounts: idOf('social', 1, theirCode),
}
const ours = { media: media.image, labels: label.one, accounts: account.x }
const kinds = ['media', 'labels', 'accounts'] as const

const check = (references: object, known: string[]) =>
  refusalOf(() => checkReferences(ourCode, { ...noReferences, ...references }, (id) => known.includes(id)))

describe.each(kinds)('%s that a request names', (kind) => {
  const message = `One or more ${kind} were not found`
  const everything = [...Object.values(ours), ...Object.values(theirs)]

  test('may be the caller’s own', () => {
    expect(check({ [kind]: [ours[kind]] }, everything)).toBeUndefined()
  })

  test.each([
    { what: 'nothing bears the ID', ids: [ours[kind]], known: [] },
    { what: 'one of two does not exist', ids: [ours[kind], idOf('post', 1)], known: everything },
    { what: 'the ID is of another kind', ids: [idOf('post', 1)], known: [...everything, idOf('post', 1)] },
    { what: 'the text is no ID', ids: ['1'], known: ['1'] },
    { what: 'another owner’s ID names nothing', ids: [theirs[kind]], known: [] },
  ])('400 when $what', ({ ids, known }) => {
    expect(check({ [kind]: ids }, known)).toEqual({ status: 400, message, fields: [kind] })
  })

  test('403 when they are another owner’s, alone or among the caller’s own', () => {
    const denied = { status: 403, message: 'Access denied', fields: [] }
    expect(check({ [kind]: [theirs[kind]] }, everything)).toEqual(denied)
    expect(check({ [kind]: [ours[kind], theirs[kind]] }, everything)).toEqual(denied)
  })
})

test('what does not exist is told before what is another owner’s', () => {
  expect(check({ media: [theirs.media], labels: [label.one] }, [theirs.media])).toMatchObject({ status: 400 })
})

test('a request that names nothing is fine', () => {
  expect(check({}, [])).toBeUndefined()
})

test('media are named by the root, thumbnails, replies and customizations, each once', () => {
  const names = referencesOf(
    makePost({
      media: [media.video, media.image],
      thumbnail_media_id: media.photo,
      subposts: [{ text: null, media: [media.image, media.gif] }],
      account_customizations: [
        { id: account.x, media: [media.clip], thumbnail_media_id: null },
        { id: account.facebook, subposts: [{ text: 'Reply', media: [media.video] }] },
      ],
      labels: [label.two],
    }),
  )
  expect(names).toEqual({
    media: [media.video, media.image, media.photo, media.gif, media.clip],
    labels: [label.two],
    accounts: [account.facebook],
  })
  expect(referencesOf({})).toEqual(noReferences)
})

test('only what a change adds is looked at', () => {
  const before = { media: [media.image], labels: [label.one], accounts: [account.x] }
  const after = { media: [media.image, media.gif], labels: [label.two], accounts: [account.x] }
  expect(without(after, before)).toEqual({ media: [media.gif], labels: [label.two], accounts: [] })
  expect(without(after, noReferences)).toEqual(after)
})

test('what cannot be anybody’s ID is not looked for', () => {
  const named = { media: [media.image, 'x'], labels: ['', label.one], accounts: [label.one, account.x] }
  expect(plausible(named as never)).toEqual({
    media: [media.image],
    labels: [label.one],
    accounts: [account.x],
  })
})
