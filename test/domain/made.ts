/** Posts, and the accounts, media and labels that they name, for tests of the rules. */
import type { Id, IdKind, OwnerCode } from '#shared/domain/id.ts'
import { makeId } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { parseInstant } from '#shared/domain/instant.ts'
import type { ProviderType } from '#shared/domain/network.ts'
import { providerTypes } from '#shared/domain/network.ts'
import type { MediaType, Post } from '#shared/domain/post.ts'
import { emptyFields } from '#shared/domain/post.ts'
import { changePost, createPost } from '#shared/domain/post-change.ts'
import { inSnakeCase, PostInput } from '#shared/domain/post-input.ts'
import { Problem } from '#shared/domain/problem.ts'
import { parse } from '#shared/edge/body.ts'

export function at(text: string): Instant {
  const instant = parseInstant(text)
  if (!instant) throw new Error(`Not an instant: ${text}`)
  return instant
}

export const now = at('2026-03-01T12:00:00Z')
export const past = at('2026-03-01T11:30:00Z')
export const soon = at('2026-03-01T13:00:00Z')
export const later = at('2026-03-02T09:00:00Z')

export const ourCode = '0WNER00001' as OwnerCode
export const theirCode = '0WNER00002' as OwnerCode

/** The owner's ID with this number. */
export const idOf = <Kind extends IdKind>(kind: Kind, number: number, owner = ourCode): Id<Kind> =>
  makeId(kind, {
    owner,
    now: at('2026-01-01T00:00:00Z'),
    random: Uint8Array.from({ length: 16 }, (_, place) => Math.floor(number / 32 ** (15 - place)) % 32),
  })

/** An account on every network. */
export const account = Object.fromEntries(
  providerTypes.map((type, number) => [type, idOf('social', number)]),
) as Record<ProviderType, Id<'social'>>

export const media = {
  image: idOf('media', 0),
  photo: idOf('media', 1),
  gif: idOf('media', 2),
  video: idOf('media', 3),
  clip: idOf('media', 4),
}
export const mediaTypes: Record<string, MediaType> = {
  [media.image]: 'image',
  [media.photo]: 'image',
  [media.gif]: 'gif',
  [media.video]: 'video',
  [media.clip]: 'video',
}
export const providerTypesById = Object.fromEntries(
  Object.entries(account).map(([type, id]) => [id, type as ProviderType]),
)
export const label = { one: idOf('label', 1), two: idOf('label', 2) }
export const slot = idOf('slot', 1)

/** A post as the table may hold it: a draft with a text, and the fields that are given. */
export const makePost = (fields: Partial<Post> = {}): Post => ({
  ...emptyFields,
  id: idOf('post', 1),
  text: 'Hello',
  accounts: [{ id: account.facebook, board_id: null }],
  status: 'draft',
  slot_id: null,
  slot_date: null,
  approval: { status: 'not_required', reason: null, decided_at: null },
  created_at: past,
  updated_at: past,
  published_at: null,
  publications: [],
  provider_types: providerTypesById,
  media_types: mediaTypes,
  round: 0,
  republish: false,
  version: 3,
  ...fields,
})

export interface Setting {
  mediaTypes?: Record<string, MediaType>
  requiresApproval?: boolean
  now?: Instant
}
const circumstances = (setting: Setting) => ({
  now,
  requiresApproval: false,
  providerTypes: providerTypesById,
  mediaTypes,
  ...setting,
})
const parsed = (body: Record<string, unknown>) => parse(PostInput, inSnakeCase(body))

/** What POST /posts makes of the body. */
export const create = (body: Record<string, unknown>, setting: Setting = {}): Post =>
  createPost(idOf('post', 1), parsed(body), circumstances(setting))

/** What PATCH /posts/:id makes of the post. */
export const patch = (before: Post, body: Record<string, unknown>, setting: Setting = {}): Post =>
  changePost(before, parsed(body), circumstances(setting))

/** How the work is refused; undefined when it is not. */
export function refusalOf(
  work: () => unknown,
): { status: number; message: string; fields: string[] } | undefined {
  try {
    work()
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return {
      status: problem.status,
      message: problem.message,
      fields: problem.errors.map(({ field }) => field),
    }
  }
  return undefined
}

/** The message with which the work is refused; undefined when it is not. */
export const messageOf = (work: () => unknown): string | undefined => refusalOf(work)?.message
