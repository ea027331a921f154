/** What callers may send of a post: one schema for POST, and the same with every field optional for PATCH. */
import * as v from 'valibot'
import type { Id } from './id.ts'
import { isCalendarDate, parseInstant } from './instant.ts'
import { plainObject } from './plain-object.ts'
import type { AccountCustomization, AccountReference, PostFields, Subpost } from './post.ts'
import { publishTypes } from './post.ts'

/** Ours, checked before any write. */
export const limits = {
  textCharacters: 65_536,
  notesCharacters: 10_000,
  titleCharacters: 300,
  media: 20,
  subposts: 25,
  accounts: 20,
  labels: 20,
} as const

export const ctas = ['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'CALL'] as const
export const topicTypes = ['STANDARD', 'EVENT', 'OFFER'] as const
export const privacyStatuses = [
  'public',
  'unlisted',
  'private',
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const

/** The legacy spelling of platform-specific fields; snake_case wins where both are sent. */
const legacyNames: Record<string, string> = {
  termsAndConditions: 'terms_and_conditions',
  couponCode: 'coupon_code',
  startDate: 'start_date',
  endDate: 'end_date',
  topicType: 'topic_type',
  privacyStatus: 'privacy_status',
  allowComments: 'allow_comments',
  allowDuet: 'allow_duet',
  allowStitch: 'allow_stitch',
  boardId: 'board_id',
}

/** The body with legacy names replaced, on the post, its accounts and its customizations. */
export function inSnakeCase(body: Record<string, unknown>): Record<string, unknown> {
  const rename = (value: unknown): unknown =>
    isRecord(value)
      ? {
          ...Object.fromEntries(
            Object.entries(value).map(([name, part]) => [legacyNames[name] ?? name, part]),
          ),
          ...Object.fromEntries(Object.entries(value).filter(([name]) => !(name in legacyNames))),
        }
      : value
  const renamed = rename(body) as Record<string, unknown>
  for (const list of ['accounts', 'account_customizations']) {
    if (Array.isArray(renamed[list])) renamed[list] = renamed[list].map(rename)
  }
  return renamed
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** How many characters a person would say: code points, not UTF-16 units. */
export const characters = (text: string): number => Array.from(text).length

const textOf = (field: string) => v.nullable(v.string(`${field} must be a string or null`))

const shortTextOf = (field: string, most: number) =>
  v.nullable(
    v.pipe(
      v.string(`${field} must be a string or null`),
      v.check(
        (text) => text.length <= most || characters(text) <= most,
        `${field} must be at most ${most.toLocaleString('en-US')} characters`,
      ),
    ),
  )

const flagOf = (field: string) => v.nullable(v.boolean(`${field} must be true, false or null`))

const oneOf = <const Values extends readonly string[]>(field: string, values: Values) =>
  v.picklist(values, `${field} must be one of: ${values.join(', ')}`)

/** An ID, or an object that carries it: what a fetched post or another client of this API family sends back. */
const reference = <Kind extends 'media' | 'label' | 'social'>(message: string) =>
  v.pipe(
    v.union([v.string(), v.object({ id: v.string() })], message),
    v.transform((given) => (typeof given === 'string' ? given : given.id) as Id<Kind>),
  )

const noDuplicates = <Value>(field: string, thing: string, key: (value: Value) => string) =>
  v.check<Value[], string>(
    (values) => new Set(values.map(key)).size === values.length,
    `${field} must not contain duplicate ${thing} IDs`,
  )

const mediaList = (field: string) =>
  v.pipe(
    v.array(
      reference<'media'>(`${field} must be an array of media IDs`),
      `${field} must be an array of media IDs`,
    ),
    v.maxLength(limits.media, `${field} must have at most ${limits.media} items`),
    noDuplicates(field, 'media', (id) => id),
  )

const subpost: v.GenericSchema<unknown, Subpost> = v.pipe(
  plainObject(
    {
      text: v.optional(shortTextOf('subposts text', limits.textCharacters), null),
      media: v.optional(mediaList('subposts media'), []),
    },
    'subposts must be an array of objects with text and media',
  ),
)

const subpostList = v.pipe(
  v.array(subpost, 'subposts must be an array'),
  v.maxLength(limits.subposts, `subposts must have at most ${limits.subposts} items`),
)

/** A date (`2026-12-01`) stays a date; a datetime with offset becomes UTC, as all that are answered. */
const dateOf = (field: string) =>
  v.nullable(
    v.pipe(
      v.string(`${field} must be a string or null`),
      v.check(
        (text) => isDate(text) || parseInstant(text) !== undefined,
        `${field} must be an ISO 8601 date, or a datetime with offset`,
      ),
      v.transform((text) => (isDate(text) ? text : (parseInstant(text) ?? text))),
    ),
  )

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return day !== undefined && isCalendarDate(Number(year), Number(month), Number(day))
}

const contentEntries = {
  text: shortTextOf('text', limits.textCharacters),
  media: mediaList('media'),
  thumbnail_media_id: v.nullable(reference<'media'>('thumbnail_media_id must be a media ID or null')),
  subposts: subpostList,
  title: shortTextOf('title', limits.titleCharacters),
  link: textOf('link'),
  terms_and_conditions: textOf('terms_and_conditions'),
  coupon_code: textOf('coupon_code'),
  start_date: dateOf('start_date'),
  end_date: dateOf('end_date'),
  cta: v.nullable(oneOf('cta', ctas)),
}

const optionalEntries = <Entries extends Record<string, v.GenericSchema>>(entries: Entries) =>
  v.partial(v.object(entries)).entries

const accountReference: v.GenericSchema<unknown, AccountReference> = v.pipe(
  v.union(
    [v.string(), v.object({ id: v.string(), board_id: v.optional(v.nullable(v.string())) })],
    'accounts must be an array of account IDs or { id, board_id } objects',
  ),
  v.transform((given) =>
    typeof given === 'string'
      ? { id: given as Id<'social'>, board_id: null }
      : { id: given.id as Id<'social'>, board_id: given.board_id ?? null },
  ),
)

const customization = plainObject(
  {
    id: reference<'social'>('account_customizations id must be an account ID'),
    ...optionalEntries(contentEntries),
  },
  'account_customizations must be an array of objects with an id',
)

const instant = (field: string) =>
  v.nullable(
    v.pipe(
      v.string(`${field} must be an ISO 8601 datetime`),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const parsed = parseInstant(dataset.value)
        if (parsed) return parsed
        addIssue({ message: `${field} must be an ISO 8601 datetime with Z or an offset` })
        return NEVER
      }),
    ),
  )

const postEntries = {
  ...contentEntries,
  publish_type: oneOf('publish_type', publishTypes),
  accounts: v.pipe(
    v.array(accountReference, 'accounts must be an array'),
    v.maxLength(limits.accounts, `accounts must have at most ${limits.accounts} items`),
    noDuplicates('accounts', 'account', ({ id }) => id),
  ),
  account_customizations: v.pipe(
    v.array(customization, 'account_customizations must be an array'),
    noDuplicates('account_customizations', 'account', ({ id }) => id),
  ),
  labels: v.pipe(
    v.array(
      reference<'label'>('labels must be an array of label IDs'),
      'labels must be an array of label IDs',
    ),
    v.maxLength(limits.labels, `labels must have at most ${limits.labels} items`),
    noDuplicates('labels', 'label', (id) => id),
  ),
  scheduled_at: instant('scheduled_at'),
  notes: shortTextOf('notes', limits.notesCharacters),
  short_link_enabled: v.boolean('short_link_enabled must be true or false'),
  topic_type: v.nullable(oneOf('topic_type', topicTypes)),
  privacy_status: v.nullable(oneOf('privacy_status', privacyStatuses)),
  allow_comments: flagOf('allow_comments'),
  allow_duet: flagOf('allow_duet'),
  allow_stitch: flagOf('allow_stitch'),
  // Which values are admissible depends on the post's present status: `post-change.ts` decides.
  status: v.string('status must be one of: draft, scheduled'),
}

/** The fields that were sent, parsed; anything else in the body is ignored. */
export const PostInput = v.object(optionalEntries(postEntries))

/** The fields that were sent. Customizations hold only the overrides that were sent. */
export interface PostInput extends Partial<Omit<PostFields, 'account_customizations'>> {
  account_customizations?: AccountCustomization[] | undefined
  status?: string | undefined
}
