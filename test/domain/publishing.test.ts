import { describe, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Publication, PublicationStatus } from '#shared/domain/publication.ts'
import { summarise } from '#shared/domain/publication.ts'
import { queuePublication } from '#shared/domain/publication-steps.ts'
import { recordPublication, takeForPublishing } from '#shared/domain/publishing.ts'
import { account, idOf, makePost, now, past } from './made.ts'

const { facebook, x, bluesky, mastodon } = account
const on = (...ids: Id<'social'>[]) => ids.map((id) => ({ id, board_id: null }))
const numbers = () => {
  let number = 100
  return () => idOf('publication', ++number)
}
const take = (post: Post, before: Publication[] = [], at = now) =>
  takeForPublishing(post, before, { now: at, nextId: numbers() })
const scheduled = (fields: Partial<Post> = {}) =>
  makePost({ status: 'scheduled', scheduled_at: now, accounts: on(facebook, x, bluesky), ...fields })

/** As an earlier round left it. */
const earlier = (
  social: Id<'social'>,
  status: PublicationStatus,
  fields: Partial<Publication> = {},
): Publication => ({
  ...queuePublication(
    {
      publication_id: idOf('publication', 1),
      post_id: idOf('post', 1),
      social_provider_id: social,
      provider_type: 'x',
      round: 1,
    },
    undefined,
    past,
  ),
  status,
  ...(status === 'published' && {
    published_at: past,
    sent: [{ platform_post_id: 'p1', url: null }],
    platform_post_id: 'p1',
  }),
  ...fields,
})
const statuses = (post: Post) =>
  post.publications.map(({ social_provider_id, status }) => [social_provider_id, status])

describe('a due post is taken', () => {
  test('with a publication for each account, in the order of the accounts', () => {
    const { post, publications } = take(scheduled({ round: 0 }))
    expect(post).toMatchObject({
      status: 'publishing',
      round: 1,
      republish: false,
      published_at: null,
      updated_at: now,
    })
    expect(statuses(post)).toEqual([
      [facebook, 'queued'],
      [x, 'queued'],
      [bluesky, 'queued'],
    ])
    expect(publications.map(summarise)).toEqual(post.publications)
    expect(new Set(publications.map(({ publication_id }) => publication_id)).size).toBe(3)
    expect(publications).toMatchObject([
      { provider_type: 'facebook', post_id: post.id, round: 1, act_at: now },
      { provider_type: 'x' },
      { provider_type: 'bluesky' },
    ])
  })

  test('again from failed: only those that did not get it', () => {
    const before = [earlier(facebook, 'published'), earlier(x, 'failed'), earlier(bluesky, 'outcome_unknown')]
    const { post, publications } = take(scheduled({ round: 1, publications: before.map(summarise) }), before)
    expect(publications.map(({ social_provider_id }) => social_provider_id)).toEqual([x])
    expect(publications[0]).toMatchObject({
      publication_id: before[1]!.publication_id,
      round: 2,
      fence: before[1]!.fence + 1,
      attempts: 0,
    })
    expect(statuses(post)).toEqual([
      [facebook, 'published'],
      [x, 'queued'],
      [bluesky, 'outcome_unknown'],
    ])
    expect(post).toMatchObject({ status: 'publishing', round: 2 })
  })

  test('again from published: all of them', () => {
    const before = [earlier(facebook, 'published'), earlier(x, 'published'), earlier(bluesky, 'published')]
    const { post, publications } = take(
      scheduled({ round: 1, republish: true, publications: before.map(summarise) }),
      before,
    )
    expect(publications).toHaveLength(3)
    expect(publications.every(({ sent, status }) => sent.length === 0 && status === 'queued')).toBe(true)
    expect(post).toMatchObject({ status: 'publishing', republish: false })
  })

  test('with an account that is new in the second round', () => {
    const before = [earlier(facebook, 'published')]
    const { publications } = take(
      scheduled({ accounts: on(mastodon, facebook), round: 1, publications: before.map(summarise) }),
      before,
    )
    expect(publications.map(({ social_provider_id }) => social_provider_id)).toEqual([mastodon])
  })

  test('with what is out on an account that it names not any more, at the end', () => {
    const before = [earlier(facebook, 'published'), earlier(x, 'failed'), earlier(bluesky, 'failed')]
    const { post } = take(
      scheduled({ accounts: on(bluesky), round: 1, publications: before.map(summarise) }),
      before.slice(2),
    )
    expect(statuses(post)).toEqual([
      [bluesky, 'queued'],
      [facebook, 'published'],
    ])
  })

  test.each([
    {
      when: 'everybody has it already',
      before: [earlier(facebook, 'published'), earlier(x, 'published')],
      status: 'published',
      published_at: now,
    },
    {
      when: 'nobody knows who has it',
      before: [earlier(facebook, 'published'), earlier(x, 'outcome_unknown')],
      status: 'failed',
      published_at: null,
    },
  ])('and finished at once when $when', ({ before, status, published_at }) => {
    const { post, publications } = take(
      scheduled({ accounts: on(facebook, x), round: 1, publications: before.map(summarise) }),
      before,
    )
    expect(publications).toEqual([])
    expect(post).toMatchObject({ status, published_at })
  })
})

describe('a post that is found late', () => {
  test.each([
    { late: 0, missed: false },
    { late: 3_600, missed: false },
    { late: 7_200, missed: false },
    { late: 7_200.001, missed: true },
    { late: 86_400, missed: true },
  ])('by $late s: not sent: $missed', ({ late, missed }) => {
    const { post, publications } = take(scheduled({ scheduled_at: plusSeconds(now, -late) }))
    expect(post.status).toBe(missed ? 'failed' : 'publishing')
    expect(publications).toHaveLength(3)
    for (const publication of publications) {
      expect(publication.status).toBe(missed ? 'failed' : 'queued')
      expect(publication.error?.code).toBe(missed ? 'MISSED_SCHEDULE' : undefined)
    }
    expect(post.publications).toEqual(publications.map(summarise))
  })

  test('loses nothing of what it had sent', () => {
    const sent = [{ platform_post_id: 'p1', url: null }]
    const before = [earlier(facebook, 'published'), earlier(x, 'failed', { sent, platform_post_id: 'p1' })]
    const at = plusSeconds(now, -10_000)
    const { post, publications } = take(
      scheduled({
        accounts: on(facebook, x),
        scheduled_at: at,
        round: 1,
        publications: before.map(summarise),
      }),
      before,
    )
    expect(statuses(post)).toEqual([
      [facebook, 'published'],
      [x, 'failed'],
    ])
    expect(publications).toMatchObject([{ sent, status: 'failed' }])
    expect(
      take({ ...post, status: 'scheduled', scheduled_at: now }, [before[0]!, ...publications]).publications,
    ).toMatchObject([{ social_provider_id: x, sent, status: 'queued', round: 3 }])
  })

  test('without a time is not late', () => {
    expect(take(scheduled({ scheduled_at: null })).post.status).toBe('publishing')
  })
})

describe('a post follows its publications', () => {
  const { post: taken, publications } = take(
    scheduled({ accounts: on(facebook, x), publications: [summarise(earlier(mastodon, 'published'))] }),
  )
  const [first, second] = publications as [Publication, Publication]

  test.each([
    { one: 'published', other: 'published', expected: 'published' },
    { one: 'published', other: 'failed', expected: 'failed' },
    { one: 'failed', other: 'published', expected: 'failed' },
    { one: 'failed', other: 'failed', expected: 'failed' },
    { one: 'published', other: 'outcome_unknown', expected: 'failed' },
    { one: 'published', other: 'queued', expected: 'publishing' },
    { one: 'publishing', other: 'failed', expected: 'publishing' },
  ] as const)('$one and $other: $expected', ({ one, other, expected }) => {
    const half = recordPublication(taken, { ...first, status: one }, now)
    expect(half.status).toBe('publishing')
    const at = plusSeconds(now, 9)
    const whole = recordPublication(half, { ...second, status: other }, at)
    expect(whole).toMatchObject({
      status: expected,
      published_at: expected === 'published' ? at : null,
      updated_at: at,
    })
    expect(statuses(whole)).toEqual([
      [facebook, one],
      [x, other],
      [mastodon, 'published'],
    ])
  })

  test('callers see how far each is', () => {
    const error = { code: 'BUSY', message: 'Busy' }
    const after = recordPublication(taken, { ...second, status: 'queued', attempts: 2, error }, now)
    expect(after.publications[1]).toMatchObject({
      social_provider_id: x,
      status: 'queued',
      attempts: 2,
      error,
    })
    expect(after.publications[0]).toEqual(taken.publications[0])
  })

  test('resolving an unknown outcome settles it anew', () => {
    const half = recordPublication(taken, { ...first, status: 'published' }, now)
    const unknown = recordPublication(half, { ...second, status: 'outcome_unknown' }, now)
    const at = plusSeconds(now, 60)
    expect(recordPublication(unknown, { ...second, status: 'published' }, at)).toMatchObject({
      status: 'published',
      published_at: at,
    })
    expect(recordPublication(unknown, { ...second, status: 'failed' }, at)).toMatchObject({
      status: 'failed',
      published_at: null,
    })
  })
})
