/** IDs in paths: what they name must exist, and be the caller's. */
import type { Id, IdKind, OwnerCode } from '#shared/domain/id.ts'
import { isId, ownerCodeOf } from '#shared/domain/id.ts'
import { accessDenied, notFound } from '#shared/domain/problem.ts'

/** What the ID names: 404 when nothing does, 403 when it is somebody else's. */
export async function owned<Kind extends IdKind, Thing>(
  kind: Kind,
  id: string | undefined,
  {
    owner,
    thing,
    find,
  }: { owner: OwnerCode; thing: string; find: (id: Id<Kind>) => Promise<Thing | undefined> },
): Promise<Thing> {
  const found = isId(kind, id) ? await find(id) : undefined
  if (!found || !isId(kind, id)) throw notFound(thing)
  if (ownerCodeOf(id) !== owner) throw accessDenied()
  return found
}

/** As `owned`, for the application's paths below an owner: what is another owner's is not there either. */
export async function ownedBelow<Kind extends IdKind, Thing>(
  kind: Kind,
  id: string | undefined,
  options: { owner: OwnerCode; thing: string; find: (id: Id<Kind>) => Promise<Thing | undefined> },
): Promise<Thing> {
  if (!isId(kind, id) || ownerCodeOf(id) !== options.owner) throw notFound(options.thing)
  return owned(kind, id, options)
}
