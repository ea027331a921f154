/** Lists walked as a caller walks them: through `limit` and `cursor`, page after page. */
import { expect } from 'vitest'
import type { OwnerCode } from '#shared/domain/id.ts'
import { makeOwnerCode } from '#shared/domain/id.ts'
import type { Label } from '#shared/domain/label.ts'
import type { Post } from '#shared/domain/post.ts'
import type { Social } from '#shared/domain/social.ts'
import { readPageRequest, toList } from '#shared/edge/page.ts'
import type { Services } from '#shared/services.ts'
import type { Page, PageRequest } from '#shared/store/page.ts'
import { makePost } from '../domain/made.ts'

export interface Listed {
  id: string
}
export type ListPage = (request: PageRequest) => Promise<Page<Listed>>

/** One page, asked for in the query's own words. */
export async function readList(
  listPage: ListPage,
  query: { limit?: string; cursor?: string },
  name = 'things',
) {
  return toList(await listPage(readPageRequest(query, name)), name, ({ id }) => id)
}

/** Every page, the first to the last. `between` happens before each but the first. */
export async function walk(
  listPage: ListPage,
  { limit, between = async () => {} }: { limit: number; between?: () => Promise<unknown> },
): Promise<{ ids: string[]; pages: number; total: number }> {
  const ids: string[] = []
  let cursor: string | null | undefined
  for (let pages = 1; ; pages++) {
    const page = await readList(listPage, { limit: String(limit), ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    expect(page.has_more).toBe(page.next_cursor !== null)
    // Only the last page may be empty, and a page is not told to be followed by nothing.
    if (page.has_more) expect(page.items.length).toBeGreaterThan(0)
    ids.push(...page.items)
    cursor = page.next_cursor
    if (!cursor) return { ids, pages, total: page.total }
    if (pages > 500) throw new Error('The list does not end')
    await between()
  }
}

/** A code that no other test uses. */
export const newOwner = ({ random }: Services): OwnerCode => makeOwnerCode(random.bytes(10))

export const makers = (services: Services, owner: OwnerCode) => {
  const { clock, nextId } = services
  return {
    async label(title = 'Label'): Promise<Label> {
      const now = clock.now()
      const label = { id: nextId('label', owner, now), title, created_at: now, updated_at: now }
      await services.labels.create(label)
      return label
    },
    async post(fields: Partial<Post> = {}): Promise<Post> {
      const now = clock.now()
      const post = makePost({
        id: nextId('post', owner, now),
        created_at: now,
        updated_at: now,
        version: 0,
        ...fields,
      })
      await services.posts.create(post)
      return post
    },
    async social(fields: Partial<Social> = {}): Promise<Social> {
      const now = clock.now()
      const social: Social = {
        id: nextId('social', owner, now),
        provider_type: 'mastodon',
        display_name: 'Account',
        username: null,
        avatar_url: null,
        status: 'active',
        sandbox: true,
        sandbox_behavior: 'publish',
        credentials: null,
        created_at: now,
        updated_at: now,
        ...fields,
      }
      await services.socials.create(social)
      return social
    },
  }
}

/** Newest first: by ID, backwards. */
export const newestFirst = (things: Listed[]): string[] =>
  things
    .map(({ id }) => id)
    .sort()
    .reverse()

/** By display name in lower case, in code points, then by ID. */
export function byName(socials: Social[]): string[] {
  const points = (text: string) =>
    Array.from(text.toLowerCase(), (character) => character.codePointAt(0) ?? 0)
  return [...socials]
    .sort((one, other) => {
      const [a, b] = [points(one.display_name), points(other.display_name)]
      for (let place = 0; place < Math.min(a.length, b.length); place++) {
        if (a[place] !== b[place]) return (a[place] ?? 0) - (b[place] ?? 0)
      }
      return a.length - b.length || (one.id < other.id ? -1 : 1)
    })
    .map(({ id }) => id)
}
