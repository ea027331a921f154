/** The filters of the post list: any of the values within a filter, all of the filters together. */
import type { Id, IdKind } from './id.ts'
import { isId } from './id.ts'
import type { Post, PostClass, PostStatus } from './post.ts'
import { classOf, postClasses, postStatuses } from './post.ts'
import { badRequest, invalidField } from './problem.ts'

/** What a post must be to be listed. Absent: anything will do. Empty: nothing does. Values are distinct and sorted. */
export interface PostFilter {
  statuses?: PostStatus[] | undefined
  labels?: Id<'label'>[] | undefined
  socials?: Id<'social'>[] | undefined
}

/** The parameters as they were sent: comma-separated. */
export interface SentFilter {
  status?: string | undefined
  labels?: string | undefined
  socials?: string | undefined
}

const mostIds = 20

/**
 * The filter that the parameters ask for, the same one whatever the order of the values and however often each is sent.
 * 400 `Invalid status filter`, and 400 for more than 20 labels or accounts. Text that is no ID matches no post; a list
 * without any text is no filter.
 */
export function readPostFilter({ status, labels, socials }: SentFilter): PostFilter {
  return {
    statuses: status === undefined ? undefined : distinct(status.split(',').map(toStatus)),
    labels: readIds('labels', 'label', labels),
    socials: readIds('socials', 'social', socials),
  }
}

function toStatus(text: string): PostStatus {
  const status = postStatuses.find((each) => each === text)
  if (!status) throw badRequest('INVALID_STATUS_FILTER', 'Invalid status filter')
  return status
}

function readIds<Kind extends IdKind>(field: string, kind: Kind, text = ''): Id<Kind>[] | undefined {
  const sent = distinct(text.split(',').map((each) => each.trim())).filter((each) => each !== '')
  if (sent.length > mostIds) throw invalidField(field, `${field} must name at most ${mostIds} IDs`)
  return sent.length === 0 ? undefined : sent.filter((each) => isId(kind, each))
}

const distinct = <Text extends string>(texts: Text[]): Text[] => [...new Set(texts)].toSorted()

/** Every post passes. */
export const isOpen = ({ statuses, labels, socials }: PostFilter): boolean => !statuses && !labels && !socials

/** No post passes. */
export const isShut = ({ statuses, labels, socials }: PostFilter): boolean =>
  [statuses, labels, socials].some((values) => values?.length === 0)

/** The classes whose posts may pass. */
export const classesOf = ({ statuses }: PostFilter): PostClass[] =>
  statuses ? [...new Set(statuses.map(classOf))] : [...postClasses]

/** Whether the post passes. */
export const matches = (
  { status, labels, accounts }: Pick<Post, 'status' | 'labels' | 'accounts'>,
  filter: PostFilter,
): boolean =>
  (filter.statuses?.includes(status) ?? true) &&
  (filter.labels?.some((label) => labels.includes(label)) ?? true) &&
  (filter.socials?.some((social) => accounts.some(({ id }) => id === social)) ?? true)

/** The filter as text: the same for filters that mean the same, different for others. */
export const textOf = ({ statuses, labels, socials }: PostFilter): string =>
  JSON.stringify([statuses ?? null, labels ?? null, socials ?? null])
