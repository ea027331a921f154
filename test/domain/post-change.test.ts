import { describe, expect, test } from 'vitest'
import { plusSeconds } from '#shared/domain/instant.ts'
import type { Approval, Post, PostStatus } from '#shared/domain/post.ts'
import type { PublicationSummary } from '#shared/domain/publication.ts'
import { showPost } from '#shared/edge/post-reply.ts'
import {
  account,
  create,
  idOf,
  label,
  later,
  makePost,
  media,
  messageOf,
  now,
  past,
  patch,
  refusalOf,
  slot,
  soon,
} from './made.ts'

const notRequired: Approval = { status: 'not_required', reason: null, decided_at: null }
const pending: Approval = { status: 'pending', reason: null, decided_at: null }
const approved: Approval = { status: 'approved', reason: null, decided_at: past }
const rejected: Approval = { status: 'rejected', reason: 'Not like this', decided_at: past }

const summary = (
  social: PublicationSummary['social_provider_id'],
  status: PublicationSummary['status'],
): PublicationSummary => ({
  publication_id: idOf('publication', 1),
  social_provider_id: social,
  provider_type: 'facebook',
  status,
  platform_post_id: null,
  url: null,
  error: null,
  attempts: 1,
  published_at: null,
})

const slotted = { slot_id: slot, slot_date: '2026-03-01' }

/** A post in every state that it can be found in. */
const posts = {
  draft: makePost(),
  'a rejected draft': makePost({ approval: rejected }),
  scheduled: makePost({ status: 'scheduled', scheduled_at: soon, ...slotted }),
  'scheduled and due': makePost({ status: 'scheduled', scheduled_at: past, ...slotted }),
  approved: makePost({ status: 'scheduled', scheduled_at: soon, ...slotted, approval: approved }),
  pending: makePost({ status: 'pending_approval', scheduled_at: soon, ...slotted, approval: pending }),
  'pending, and its time is over': makePost({
    status: 'pending_approval',
    scheduled_at: past,
    ...slotted,
    approval: pending,
  }),
  published: makePost({
    status: 'published',
    scheduled_at: past,
    ...slotted,
    approval: approved,
    published_at: past,
    publications: [summary(account.facebook, 'published')],
    round: 1,
  }),
  failed: makePost({
    status: 'failed',
    scheduled_at: past,
    ...slotted,
    publications: [summary(account.facebook, 'failed')],
    round: 1,
  }),
  publishing: makePost({ status: 'publishing', scheduled_at: past, ...slotted, round: 1 }),
}
type State = keyof typeof posts

const atSoon = { status: 'scheduled', scheduled_at: soon }
const atLater = { status: 'scheduled', scheduled_at: later }
const everyStateButPublishing = (Object.keys(posts) as State[]).filter((state) => state !== 'publishing')

interface Outcome {
  status: PostStatus
  scheduled_at: string | null
  slot_id: string | null
  approval: Approval
}
const outcome = (
  status: PostStatus,
  at: string | null,
  slot_id: string | null,
  approval = notRequired,
): Outcome => ({
  status,
  scheduled_at: at,
  slot_id,
  approval,
})

describe('POST decides the status', () => {
  const fields = { text: 'Hello', accounts: [account.facebook] }
  test.each([
    { sent: {}, needsApproval: false, expected: outcome('draft', null, null) },
    { sent: { status: 'draft' }, needsApproval: false, expected: outcome('draft', null, null) },
    {
      sent: { status: 'draft', scheduled_at: null },
      needsApproval: true,
      expected: outcome('draft', null, null),
    },
    { sent: atSoon, needsApproval: false, expected: outcome('scheduled', soon, null) },
    { sent: atSoon, needsApproval: true, expected: outcome('pending_approval', soon, null, pending) },
  ])('$sent, approval required: $needsApproval: $expected.status', ({ sent, needsApproval, expected }) => {
    const post = create({ ...fields, ...sent }, { requiresApproval: needsApproval })
    expect(post).toMatchObject({
      ...expected,
      created_at: now,
      updated_at: now,
      version: 0,
      republish: false,
    })
  })

  test.each([
    { sent: { status: 'published' }, message: 'status must be one of: draft, scheduled' },
    { sent: { status: 'pending_approval' }, message: 'status must be one of: draft, scheduled' },
    { sent: { status: '' }, message: 'status must be one of: draft, scheduled' },
    { sent: { status: null }, message: 'status must be one of: draft, scheduled' },
    { sent: { status: 'scheduled' }, message: 'scheduled_at is required when status is scheduled' },
    {
      sent: { status: 'scheduled', scheduled_at: null },
      message: 'scheduled_at is required when status is scheduled',
    },
    { sent: { ...atSoon, accounts: [] }, message: 'accounts is required when status is scheduled' },
    { sent: { status: 'scheduled', scheduled_at: now }, message: 'scheduled_at must be in the future' },
    { sent: { status: 'scheduled', scheduled_at: past }, message: 'scheduled_at must be in the future' },
    { sent: { scheduled_at: soon }, message: 'scheduled_at is only allowed when status is scheduled' },
    {
      sent: { status: 'draft', scheduled_at: soon },
      message: 'scheduled_at is only allowed when status is scheduled',
    },
    {
      sent: { status: 'scheduled', scheduled_at: '2026-03-02T08:00:00' },
      message: 'scheduled_at must be an ISO 8601 datetime with Z or an offset',
    },
    {
      sent: { status: 'scheduled', scheduled_at: 1_772_438_400 },
      message: 'scheduled_at must be an ISO 8601 datetime',
    },
  ])('400 for $sent', ({ sent, message }) => {
    for (const requiresApproval of [false, true]) {
      expect(refusalOf(() => create({ ...fields, ...sent }, { requiresApproval }))).toMatchObject({
        status: 400,
        message,
      })
    }
  })

  test('a millisecond ahead is the future', () => {
    const at = plusSeconds(now, 0.001)
    expect(create({ ...fields, status: 'scheduled', scheduled_at: at })).toMatchObject({
      status: 'scheduled',
      scheduled_at: at,
    })
  })

  test('an offset is answered in UTC', () => {
    const post = create({ ...fields, status: 'scheduled', scheduled_at: '2026-03-02T10:00:00.123456+01:00' })
    expect(post.scheduled_at).toBe('2026-03-02T09:00:00.123Z')
  })
})

describe('PATCH decides the status', () => {
  const rows: { from: State; sent: Record<string, unknown>; needsApproval?: boolean; expected: Outcome }[] = [
    // status: scheduled
    { from: 'draft', sent: atSoon, expected: outcome('scheduled', soon, null) },
    {
      from: 'draft',
      sent: atSoon,
      needsApproval: true,
      expected: outcome('pending_approval', soon, null, pending),
    },
    { from: 'a rejected draft', sent: atSoon, expected: outcome('scheduled', soon, null) },
    {
      from: 'a rejected draft',
      sent: atSoon,
      needsApproval: true,
      expected: outcome('pending_approval', soon, null, pending),
    },
    { from: 'scheduled', sent: { status: 'scheduled' }, expected: outcome('scheduled', soon, slot) },
    { from: 'scheduled', sent: atLater, expected: outcome('scheduled', later, null) },
    {
      from: 'scheduled',
      sent: atLater,
      needsApproval: true,
      expected: outcome('pending_approval', later, null, pending),
    },
    {
      from: 'approved',
      sent: { status: 'scheduled' },
      needsApproval: true,
      expected: outcome('scheduled', soon, slot, approved),
    },
    {
      from: 'approved',
      sent: atLater,
      needsApproval: true,
      expected: outcome('pending_approval', later, null, pending),
    },
    { from: 'pending', sent: { status: 'scheduled' }, expected: outcome('scheduled', soon, slot) },
    {
      from: 'pending',
      sent: { status: 'scheduled' },
      needsApproval: true,
      expected: outcome('pending_approval', soon, slot, pending),
    },
    {
      from: 'pending',
      sent: atLater,
      needsApproval: true,
      expected: outcome('pending_approval', later, null, pending),
    },
    { from: 'published', sent: atSoon, expected: outcome('scheduled', soon, null) },
    {
      from: 'published',
      sent: atSoon,
      needsApproval: true,
      expected: outcome('pending_approval', soon, null, pending),
    },
    { from: 'failed', sent: atSoon, expected: outcome('scheduled', soon, null) },
    {
      from: 'failed',
      sent: atSoon,
      needsApproval: true,
      expected: outcome('pending_approval', soon, null, pending),
    },
    // status: draft
    ...everyStateButPublishing
      .filter((from) => posts[from].status !== 'draft')
      .flatMap((from) =>
        [false, true].map((needsApproval) => ({
          from,
          sent: { status: 'draft' },
          needsApproval,
          expected: outcome('draft', null, null),
        })),
      ),
    { from: 'a rejected draft', sent: { status: 'draft' }, expected: outcome('draft', null, null, rejected) },
    // scheduled_at without a status
    { from: 'draft', sent: { scheduled_at: null }, expected: outcome('draft', null, null) },
    { from: 'scheduled', sent: { scheduled_at: null }, expected: outcome('draft', null, null) },
    { from: 'scheduled and due', sent: { scheduled_at: null }, expected: outcome('draft', null, null) },
    {
      from: 'approved',
      sent: { scheduled_at: null },
      needsApproval: true,
      expected: outcome('draft', null, null),
    },
    {
      from: 'pending',
      sent: { scheduled_at: null },
      needsApproval: true,
      expected: outcome('draft', null, null),
    },
    {
      from: 'pending',
      sent: { status: 'pending_approval', scheduled_at: null },
      expected: outcome('draft', null, null),
    },
    { from: 'scheduled', sent: { scheduled_at: later }, expected: outcome('scheduled', later, null) },
    { from: 'scheduled', sent: { scheduled_at: soon }, expected: outcome('scheduled', soon, slot) },
    {
      from: 'scheduled',
      sent: { scheduled_at: '2026-03-01T14:00:00+01:00' },
      expected: outcome('scheduled', soon, slot),
    },
    { from: 'scheduled and due', sent: { scheduled_at: past }, expected: outcome('scheduled', past, slot) },
    { from: 'scheduled and due', sent: { scheduled_at: later }, expected: outcome('scheduled', later, null) },
    {
      from: 'approved',
      sent: { scheduled_at: later },
      needsApproval: true,
      expected: outcome('pending_approval', later, null, pending),
    },
    {
      from: 'approved',
      sent: { scheduled_at: later },
      expected: outcome('scheduled', later, null, approved),
    },
    {
      from: 'pending',
      sent: { scheduled_at: later },
      needsApproval: true,
      expected: outcome('pending_approval', later, null, pending),
    },
    { from: 'published', sent: { scheduled_at: past }, expected: outcome('published', past, slot, approved) },
    // content alone
    { from: 'draft', sent: { text: 'New' }, needsApproval: true, expected: outcome('draft', null, null) },
    {
      from: 'a rejected draft',
      sent: { text: 'New' },
      needsApproval: true,
      expected: outcome('draft', null, null, rejected),
    },
    { from: 'scheduled', sent: { text: 'New' }, expected: outcome('scheduled', soon, slot) },
    {
      from: 'scheduled',
      sent: { text: 'New' },
      needsApproval: true,
      expected: outcome('pending_approval', soon, slot, pending),
    },
    { from: 'scheduled and due', sent: { text: 'New' }, expected: outcome('scheduled', past, slot) },
    { from: 'approved', sent: { text: 'New' }, expected: outcome('scheduled', soon, slot, approved) },
    { from: 'pending', sent: { text: 'New' }, expected: outcome('pending_approval', soon, slot, pending) },
    {
      from: 'pending',
      sent: { text: 'New' },
      needsApproval: true,
      expected: outcome('pending_approval', soon, slot, pending),
    },
    {
      from: 'pending, and its time is over',
      sent: { text: 'New' },
      needsApproval: true,
      expected: outcome('pending_approval', past, slot, pending),
    },
    {
      from: 'published',
      sent: { text: 'New' },
      needsApproval: true,
      expected: outcome('published', past, slot, approved),
    },
    { from: 'failed', sent: { text: 'New' }, expected: outcome('failed', past, slot) },
  ]
  test.each(rows)(
    '$from, $sent, approval required: $needsApproval: $expected.status',
    ({ from, sent, needsApproval = false, expected }) => {
      const before = structuredClone(posts[from])
      const after = patch(posts[from], sent, { requiresApproval: needsApproval })
      expect(after).toMatchObject(expected)
      expect(after.slot_date === null).toBe(after.slot_id === null)
      expect(posts[from]).toEqual(before)
    },
  )

  const scheduleRequired = 'scheduled_at is required when status is scheduled'
  const future = 'scheduled_at must be in the future'
  const onlyScheduled = 'scheduled_at is only allowed when status is scheduled'
  const refusals: { from: State; sent: Record<string, unknown>; message: string }[] = [
    { from: 'draft', sent: { status: 'scheduled' }, message: scheduleRequired },
    { from: 'draft', sent: { scheduled_at: soon }, message: onlyScheduled },
    { from: 'draft', sent: { status: 'draft', scheduled_at: soon }, message: onlyScheduled },
    { from: 'draft', sent: { status: 'scheduled', scheduled_at: past }, message: future },
    {
      from: 'draft',
      sent: { ...atSoon, accounts: [] },
      message: 'accounts is required when status is scheduled',
    },
    { from: 'scheduled', sent: { accounts: [] }, message: 'accounts is required when status is scheduled' },
    { from: 'scheduled', sent: { scheduled_at: past }, message: future },
    { from: 'scheduled', sent: { status: 'scheduled', scheduled_at: null }, message: scheduleRequired },
    { from: 'scheduled', sent: { status: 'draft', scheduled_at: later }, message: onlyScheduled },
    { from: 'scheduled', sent: { status: 'publishing' }, message: 'status must be one of: draft, scheduled' },
    {
      from: 'scheduled',
      sent: { status: 'pending_approval' },
      message: 'status must be one of: draft, scheduled',
    },
    { from: 'pending', sent: { status: 'scheduled', scheduled_at: null }, message: scheduleRequired },
    { from: 'pending', sent: { scheduled_at: past }, message: future },
    { from: 'published', sent: { status: 'scheduled' }, message: future },
    { from: 'published', sent: { status: 'scheduled', scheduled_at: past }, message: future },
    { from: 'published', sent: { status: 'scheduled', scheduled_at: null }, message: scheduleRequired },
    { from: 'published', sent: { scheduled_at: soon }, message: onlyScheduled },
    { from: 'published', sent: { status: 'failed' }, message: 'status must be one of: draft, scheduled' },
    { from: 'failed', sent: { status: 'scheduled' }, message: future },
    { from: 'failed', sent: { scheduled_at: soon }, message: onlyScheduled },
    { from: 'failed', sent: { status: 'published' }, message: 'status must be one of: draft, scheduled' },
  ]
  test.each(refusals)('400 from $from for $sent', ({ from, sent, message }) => {
    expect(refusalOf(() => patch(posts[from], sent))).toMatchObject({ status: 400, message })
  })
})

describe('while a post is being published', () => {
  test.each([
    { sent: {} },
    { sent: { notes: 'Read me' } },
    { sent: { status: 'draft' } },
    { sent: { status: 'publishing' } },
    { sent: { status: 'nonsense' } },
    { sent: { text: '' } },
  ])('PATCH $sent is 409', ({ sent }) => {
    expect(refusalOf(() => patch(posts.publishing, sent))).toEqual({
      status: 409,
      message: 'Post is being published',
      fields: [],
    })
  })
})

describe('a fetched post that is sent back unchanged changes nothing', () => {
  const rich: Partial<Post> = {
    text: 'Hello',
    media: [media.video],
    thumbnail_media_id: media.image,
    subposts: [
      { text: 'Reply', media: [media.gif] },
      { text: null, media: [] },
    ],
    accounts: [
      { id: account.instagram, board_id: null },
      { id: account.linkedin, board_id: '1234' },
    ],
    account_customizations: [{ id: account.linkedin, text: 'Pinned', title: null, start_date: '2026-12-01' }],
    labels: [label.two, label.one],
    notes: 'Note',
    short_link_enabled: true,
    title: 'Title',
    start_date: '2026-12-01T09:00:00.000Z',
    cta: 'BOOK',
    topic_type: 'OFFER',
    privacy_status: 'SELF_ONLY',
    allow_comments: false,
  }
  test.each(everyStateButPublishing)('%s', (state) => {
    const before: Post = { ...posts[state], ...rich }
    const fetched = JSON.parse(JSON.stringify(showPost(before)))
    for (const requiresApproval of [false, true]) {
      const after = patch(before, fetched, { requiresApproval })
      expect(after).toEqual({
        ...before,
        updated_at: now,
        // What it names not any more is forgotten.
        provider_types: { [account.instagram]: 'instagram', [account.linkedin]: 'linkedin' },
        media_types: { [media.video]: 'video', [media.image]: 'image', [media.gif]: 'gif' },
      })
    }
  })
})

describe('nothing goes out that nobody approved', () => {
  const content: Record<string, unknown>[] = [
    { text: 'New' },
    { media: [media.image] },
    { subposts: [{ text: 'Reply' }] },
    { accounts: [account.instagram] },
    { accounts: [{ id: account.facebook, board_id: '1' }] },
    { account_customizations: [{ id: account.facebook, text: 'Other' }] },
    { title: 'Title' },
    { link: 'https://example.com' },
    { terms_and_conditions: 'Terms' },
    { coupon_code: 'CODE' },
    { start_date: '2026-12-01' },
    { end_date: '2026-12-01' },
    { cta: 'CALL' },
    { topic_type: 'EVENT' },
    { privacy_status: 'private' },
    { allow_comments: true },
    { allow_duet: true },
    { allow_stitch: true },
    { short_link_enabled: true },
    { publish_type: 'story', media: [media.image] },
    { scheduled_at: later },
  ]
  test.each(content)('%o sends an approved post back to pending approval', (sent) => {
    expect(patch(posts.approved, sent, { requiresApproval: true })).toMatchObject({
      status: 'pending_approval',
      approval: pending,
    })
    expect(patch(posts.approved, sent)).toMatchObject({ status: 'scheduled', approval: approved })
  })

  test.each([
    { labels: [label.one] },
    { notes: 'Note' },
    { labels: [], notes: null },
    { text: 'Hello' },
    { accounts: [account.facebook], media: [], title: null, allow_duet: null },
    { colour: 'red' },
  ])('%o leaves it approved', (sent) => {
    expect(patch(posts.approved, sent, { requiresApproval: true })).toMatchObject({
      status: 'scheduled',
      approval: approved,
    })
  })
})

describe('queueing again', () => {
  test('a published post goes to every account again, and is not published any more', () => {
    expect(patch(posts.published, atSoon)).toMatchObject({
      status: 'scheduled',
      republish: true,
      published_at: null,
    })
  })

  test('of a failed one, only those accounts get it that did not', () => {
    expect(patch(posts.failed, atSoon)).toMatchObject({ status: 'scheduled', republish: false })
  })

  test('a published post that becomes a draft first still goes to every account', () => {
    const draft = patch(posts.published, { status: 'draft' })
    expect(draft).toMatchObject({ status: 'draft', republish: true, published_at: null })
    expect(patch(draft, atSoon)).toMatchObject({ status: 'scheduled', republish: true })
  })

  test('an edit alone queues nothing', () => {
    expect(patch(posts.published, { text: 'New' })).toMatchObject({
      status: 'published',
      republish: false,
      published_at: past,
    })
  })

  test('its publications stay to be seen, and its round is counted by the publisher', () => {
    expect(patch(posts.published, atSoon)).toMatchObject({
      publications: posts.published.publications,
      round: 1,
    })
  })
})

describe('fields that are sent replace what is stored, the others stay', () => {
  const before = makePost({
    text: 'Old',
    media: [media.image],
    labels: [label.one],
    notes: 'Note',
    allow_duet: false,
    account_customizations: [{ id: account.facebook, text: 'Facebook', title: 'Title' }],
  })
  test.each([
    { sent: { text: 'New' }, changed: { text: 'New' } },
    { sent: { media: [] }, changed: { media: [] } },
    { sent: { labels: [label.two] }, changed: { labels: [label.two] } },
    { sent: { notes: null }, changed: { notes: null } },
    { sent: { allow_duet: null }, changed: { allow_duet: null } },
    {
      sent: { account_customizations: [{ id: account.facebook, link: 'https://a.example' }] },
      changed: { account_customizations: [{ id: account.facebook, link: 'https://a.example' }] },
    },
    {
      sent: { id: 'post_other', version: 99, created_at: 'never', slot_id: 'x', round: 7, republish: true },
      changed: {},
    },
  ])('$sent', ({ sent, changed }) => {
    const after = patch(before, sent)
    expect(showPost(after)).toEqual({ ...showPost(before), ...changed, updated_at: now })
    expect(after).toMatchObject({ version: before.version, round: 0, republish: false })
  })

  test('the thumbnail can be changed and removed alone', () => {
    const short = makePost({ media: [media.video], accounts: [{ id: account.youtube, board_id: null }] })
    const withThumbnail = patch(short, { thumbnail_media_id: media.image })
    expect(withThumbnail).toMatchObject({ thumbnail_media_id: media.image, media: [media.video] })
    expect(patch(withThumbnail, { thumbnail_media_id: null }).thumbnail_media_id).toBeNull()
    expect(messageOf(() => patch(withThumbnail, { media: [media.video, media.clip] }))).toBe(
      'thumbnail_media_id requires media to contain exactly one video',
    )
  })
})

test('what a post must know of its accounts and media outlives them', () => {
  const before = makePost({ publish_type: 'short', media: [media.video], status: 'draft' })
  const nothingKnown = { now, requiresApproval: false, providerTypes: {}, mediaTypes: {} }
  const after = patch(before, { text: 'New' }, nothingKnown)
  expect(after.provider_types).toEqual({ [account.facebook]: 'facebook' })
  expect(after.media_types).toEqual({ [media.video]: 'video' })
})

describe('a post has a size', () => {
  // 65,536 characters are the most that one text may have: five such texts are more than 300 KB.
  const texts = (bytes: number, unit = 'a') => {
    const characters = bytes / Buffer.byteLength(unit)
    return Array.from({ length: Math.ceil(characters / 60_000) }, (_, index) =>
      unit.repeat(Math.min(60_000, characters - index * 60_000)),
    )
  }
  const withTexts = ([text, ...replies]: string[]) => ({
    text,
    subposts: replies.map((reply) => ({ text: reply })),
  })
  const most = 300 * 1024

  test.each([
    { what: 'ASCII', unit: 'a' },
    { what: 'two-byte characters', unit: 'é' },
    { what: 'emoji', unit: '👍' },
  ])('300 KB of text may be saved, and no more: $what', ({ unit }) => {
    expect(messageOf(() => create(withTexts(texts(most, unit))))).toBeUndefined()
    expect(refusalOf(() => create(withTexts(texts(most + 4, unit))))).toMatchObject({
      status: 400,
      message: 'Post is too large',
    })
  })

  test('the customizations’ texts and replies count', () => {
    const [text, ...replies] = texts(most)
    const customizations = [
      { id: account.facebook, text, subposts: replies.map((reply) => ({ text: reply })) },
    ]
    const body = { text: 'H', accounts: [account.facebook], account_customizations: customizations }
    expect(messageOf(() => create(body))).toBe('Post is too large')
  })

  test('the item counts, whatever field fills it', () => {
    expect(messageOf(() => create({ text: 'Hello', link: 'l'.repeat(380 * 1024) }))).toBe('Post is too large')
  })

  test('a merged post counts, not the PATCH alone', () => {
    const [text, reply, ...others] = texts(most)
    const before = makePost({ text: text!, subposts: others.map((other) => ({ text: other, media: [] })) })
    expect(
      messageOf(() => patch(before, { account_customizations: [{ id: account.facebook, text: reply }] })),
    ).toBeUndefined()
    expect(
      messageOf(() =>
        patch(before, { account_customizations: [{ id: account.facebook, text: `${reply}x` }] }),
      ),
    ).toBe('Post is too large')
  })
})

test('every field that breaks a rule is named, and the first is the message', () => {
  const refusal = refusalOf(() =>
    create({
      publish_type: 'short',
      text: ' ',
      accounts: [account.x],
      status: 'scheduled',
      scheduled_at: past,
    }),
  )
  expect(refusal).toMatchObject({ status: 400, fields: ['accounts', 'text', 'media', 'scheduled_at'] })
  expect(refusal?.message).toBe(
    'accounts of a short post must all be among: facebook, instagram, youtube, tiktok',
  )
})
