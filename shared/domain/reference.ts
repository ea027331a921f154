/** The things that a post names: they must exist, and be the caller's. Pure: the store reads what is found. */
import type { Id, IdKind, OwnerCode } from './id.ts'
import { isId, ownerCodeOf } from './id.ts'
import type { PostFields } from './post.ts'
import { mediaOf } from './post.ts'
import { accessDenied, invalidField } from './problem.ts'

/** What a request names, by kind; only what it sends. */
export interface References {
  media: Id<'media'>[]
  labels: Id<'label'>[]
  accounts: Id<'social'>[]
}

/** What these fields name: those of a request, or of a stored post. */
export const referencesOf = (fields: Partial<PostFields>): References => ({
  media: mediaOf(fields),
  labels: fields.labels ?? [],
  accounts: (fields.accounts ?? []).map(({ id }) => id),
})

const kinds = { media: 'media', labels: 'label', accounts: 'social' } as const satisfies Record<
  keyof References,
  IdKind
>

/** Only IDs that can be somebody's: the others need not be looked for. */
export const plausible = (references: References): References => ({
  media: references.media.filter((id) => isId('media', id)),
  labels: references.labels.filter((id) => isId('label', id)),
  accounts: references.accounts.filter((id) => isId('social', id)),
})

/** What of these the other ones do not name: what a change adds. */
export const without = (references: References, known: References): References => ({
  media: references.media.filter((id) => !known.media.includes(id)),
  labels: references.labels.filter((id) => !known.labels.includes(id)),
  accounts: references.accounts.filter((id) => !known.accounts.includes(id)),
})

export const noReferences: References = { media: [], labels: [], accounts: [] }

/** 400 for what does not exist (`One or more labels were not found`), 403 for what is somebody else's. */
export function checkReferences(
  owner: OwnerCode,
  references: References,
  exists: (id: string) => boolean,
): void {
  for (const field of ['media', 'labels', 'accounts'] as const) {
    const isKnown = (id: string) => isId(kinds[field], id) && exists(id)
    if (!references[field].every(isKnown)) throw invalidField(field, `One or more ${field} were not found`)
  }
  const all = [...references.media, ...references.labels, ...references.accounts]
  if (all.some((id) => ownerCodeOf(id) !== owner)) throw accessDenied()
}
