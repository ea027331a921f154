import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import type { Post, PostStatus } from '#shared/domain/post.ts'
import { showPost } from '#shared/edge/post-reply.ts'
import {
  account,
  create,
  label,
  later,
  makePost,
  media,
  mediaTypes,
  now,
  past,
  patch,
  providerTypesById,
  refusalOf,
  slot,
  soon,
} from './made.ts'
import { judge, type Values } from './post-oracle.ts'

/** Mostly this, sometimes that: a rule is tested by posts that just break it, and by those that just do not. */
const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: rare })

const texts = mostly<string | null>(fc.constantFrom('Hello', 'Hi'), fc.constantFrom('', '  ', null))
const someMedia = fc.shuffledSubarray(Object.values(media))
const mediaLists = mostly<Id<'media'>[]>(
  fc.constantFrom([media.video], [media.video, media.image]),
  someMedia,
)
const thumbnails = fc.oneof(fc.constant(null), fc.constantFrom(...Object.values(media)))
const subposts = fc.array(fc.record({ text: texts, media: someMedia }), { maxLength: 2 })
const known = Object.values(account)
const friendly = [account.facebook, account.instagram, account.youtube]
const accounts = fc.oneof(
  fc.shuffledSubarray(friendly, { minLength: 1 }),
  fc.shuffledSubarray(friendly.slice(0, 2), { minLength: 1 }),
  fc.shuffledSubarray(known, { maxLength: 4 }),
)
const customizations = fc.uniqueArray(
  fc.record(
    {
      id: mostly(fc.constantFrom(...friendly), fc.constantFrom(...known)),
      text: texts,
      media: mediaLists,
      thumbnail_media_id: thumbnails,
    },
    { requiredKeys: ['id'] },
  ),
  { maxLength: 2, selector: ({ id }) => id },
)
const publishTypes = fc.constantFrom('regular', 'short', 'story')

const bodies: fc.Arbitrary<Values> = fc.record(
  {
    status: mostly(
      fc.constantFrom('draft', 'scheduled'),
      fc.constantFrom('published', 'failed', 'pending_approval', 'publishing', 'x'),
    ),
    publish_type: publishTypes,
    text: texts,
    media: mediaLists,
    thumbnail_media_id: thumbnails,
    subposts,
    accounts,
    account_customizations: customizations,
    labels: fc.shuffledSubarray(Object.values(label)),
    scheduled_at: mostly<string | null>(fc.constantFrom(soon, later), fc.constantFrom(null, past, now)),
    notes: fc.constantFrom('Note', null),
    title: fc.constantFrom('Title', null),
    allow_duet: fc.constantFrom(true, null),
  },
  { requiredKeys: [] },
)

/** A PATCH changes few fields as a rule. */
const patches = mostly(
  fc
    .tuple(bodies, fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 3 }))
    .map(([body, kept]) =>
      Object.fromEntries(Object.entries(body).filter((_, index) => kept.includes(index))),
    ),
  bodies,
)

/** What honest callers send. */
const honest = fc.constantFrom<Values>(
  { text: 'Hello', accounts: friendly },
  { text: 'Hello', accounts: [] },
  { text: 'Hello', accounts: [account.x], account_customizations: [{ id: account.x, text: 'Short' }] },
  {
    publish_type: 'short',
    text: 'Watch',
    media: [media.video],
    accounts: [account.youtube, account.tiktok],
  },
  { publish_type: 'story', media: [media.image], accounts: [account.instagram] },
  {
    text: 'Watch',
    media: [media.video],
    thumbnail_media_id: media.image,
    accounts: [account.instagram, account.x],
  },
)

/** Honest posts with something changed, and posts that nobody would send. */
const creations = mostly(
  fc.tuple(honest, patches).map(([fields, change]) => ({ ...fields, ...change })),
  bodies,
)

/** A post that an honest caller may have made, in any state that it can have come to since. */
const stored: fc.Arbitrary<Post> = fc
  .record({
    fields: honest,
    status: fc.constantFrom<PostStatus>(
      'draft',
      'scheduled',
      'pending_approval',
      'publishing',
      'published',
      'failed',
    ),
    due: fc.boolean(),
    republish: fc.boolean(),
    slotted: fc.boolean(),
  })
  .map(({ fields, status, due, republish, slotted }) => {
    const post = create(fields)
    const waits = status === 'scheduled' || status === 'pending_approval'
    const hasAccounts = post.accounts.length > 0
    if (status === 'draft' || !hasAccounts) return { ...post, republish }
    return makePost({
      ...post,
      status,
      // What waits for approval has its time ahead here.
      scheduled_at: waits && !(due && status === 'scheduled') ? soon : past,
      slot_id: slotted ? slot : null,
      published_at: status === 'published' ? past : null,
      republish,
    })
  })

const world = (requiresApproval: boolean) => ({
  now,
  requiresApproval,
  typeOf: (id: string) => providerTypesById[id],
  kindOf: (id: string) => mediaTypes[id],
})

function agree(before: Post | undefined, body: Values, requiresApproval: boolean): 'refused' | 'done' {
  const verdict = judge(
    before && { ...showPost(before), republish: before.republish },
    body,
    world(requiresApproval),
  )
  let after: Post | undefined
  const refusal = refusalOf(() => {
    after = before ? patch(before, body, { requiresApproval }) : create(body, { requiresApproval })
  })
  expect(refusal?.status).toBe('refused' in verdict ? verdict.refused : undefined)
  if ('refused' in verdict) return 'refused'
  const {
    status,
    scheduled_at,
    slot_id,
    publish_type,
    text,
    media: items,
    accounts: on,
    labels,
    account_customizations,
  } = verdict.post
  expect(after).toMatchObject({
    status,
    scheduled_at,
    slot_id,
    publish_type,
    text,
    media: items,
    accounts: on,
    labels,
    account_customizations,
  })
  expect(after?.republish).toBe(verdict.republish)
  return 'done'
}

test('whatever is created obeys the contract, and what obeys it can be created', () => {
  const seen = { refused: 0, done: 0 }
  fc.assert(
    fc.property(creations, fc.boolean(), (body, requiresApproval) => {
      seen[agree(undefined, body, requiresApproval)]++
    }),
    { numRuns: 3_000 },
  )
  // Both answers are common: neither half of the rules goes untested.
  expect(Math.min(seen.refused, seen.done)).toBeGreaterThan(300)
})

test('whatever a PATCH makes of a post obeys the contract, and what obeys it can be made', () => {
  const seen = { refused: 0, done: 0 }
  fc.assert(
    fc.property(stored, patches, fc.boolean(), (before, body, requiresApproval) => {
      const untouched = structuredClone(before)
      seen[agree(before, body, requiresApproval)]++
      expect(before).toEqual(untouched)
    }),
    { numRuns: 4_000 },
  )
  expect(Math.min(seen.refused, seen.done)).toBeGreaterThan(400)
})

test('a post that was made can be sent back as it is answered, and stays what it is', () => {
  fc.assert(
    fc.property(creations, fc.boolean(), (body, requiresApproval) => {
      let made: Post | undefined
      if (refusalOf(() => (made = create(body, { requiresApproval })))) return
      const fetched = JSON.parse(JSON.stringify(showPost(made!)))
      expect(patch(made!, fetched, { requiresApproval })).toEqual(made)
    }),
    { numRuns: 1_500 },
  )
})
