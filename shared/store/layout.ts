/**
 * The table: every key, every index, and the question that each answers. No other file builds a key.
 *
 *   item               pk                         sk                      answers
 *   ---------------------------------------------------------------------------------------------------------------
 *   API key            KEY#<key id>               KEY                     whose key is this?
 *   owner's keys       <own>#KEY                  <key id>                which keys has the owner? (without hashes)
 *   owner directory    OWNERS                     <time>#<own id>         which owners are there, newest first?
 *   slot               <own>#SLOT                 <slot id>               the list; GET by ID
 *   occurrence         <own>#PLAN                 <local date>#<slot id>  who holds it? one query from a date on reads …
 *   owner              <own>#PLAN                 OWNER                   … all that are taken, and the settings
 *   plan lease         <own>#PLAN-LEASE           LEASE                   who is assigning posts right now?
 *   awaiting approval  <own>#APPROVAL             <post id>               the application's list; keys only
 *   label              <own>#LABEL                <label id>              the list; GET by ID
 *   post               <own>#POST                 <post id>               the list; GET by ID
 *   deleted post       <own>#POST#DELETED         <post id>               kept, out of the way of the lists
 *   facet              <own>#F#<class>            <post id>               posts of a status class
 *                      <own>#F#<class>#L#<label>  <post id>               … with a label
 *                      <own>#F#<class>#S#<social> <post id>               … for an account
 *   social             <own>#SOCIAL               <social id>             GET by ID; the application's list
 *   social by name     <own>#SOCIAL#NAME          <lower name>\0<id>      the callers' list: neither pending nor removed
 *   removed social     <own>#SOCIAL#REMOVED       <social id>             what it published can still be looked up
 *   count              <own>#COUNT                <collection>#<shard>    how many? (exact; written with what it counts)
 *   owner count        OWNERS#COUNT               OWNER#<shard>
 *   publication        <post id>                  PUB#<social>            how far is this post on this account?
 *   attempt            <post id>                  PUB#<social>#<round>#<attempt>#<part>   what happened each time?
 *   upload             UPLOAD#<upload id>         UPLOAD                  an upload session
 *   sandbox post       SANDBOX#<social id>        <post>, <post>#<position>#<reply>   what did the sandbox network accept?
 *   sandbox marker     SANDBOX#<social id>#MARKER <marker>                did this publication land?
 *
 *   <own> is the owner code that every ID carries, so an ID alone leads to its item, and another tenant's items are
 *   out of reach. Lists run backwards: IDs sort by creation.
 *
 *   index  due     dueShard 0…7, wakeAt     posts and publications that somebody must look at, at `wakeAt`; sparse
 */
import type { Id, IdKind, OwnerCode } from '#shared/domain/id.ts'
import { idBody, ownerCodeOf, timeCode } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Post, PostClass } from '#shared/domain/post.ts'
import { classOf } from '#shared/domain/post.ts'
import type { Key } from '../aws/table.ts'

export const apiKeyKey = (id: Id<'key'>): Key => ({ pk: `KEY#${id}`, sk: 'KEY' })

export const ownersKeysPartition = (owner: OwnerCode) => `${owner}#KEY`
export const ownersKeyKey = (id: Id<'key'>): Key => ({ pk: ownersKeysPartition(ownerCodeOf(id)), sk: id })

export const planPartition = (owner: OwnerCode) => `${owner}#PLAN`
/** Beside the taken occurrences: whoever plans needs both. It sorts behind every date. */
export const ownerKey = (owner: OwnerCode): Key => ({ pk: planPartition(owner), sk: 'OWNER' })
export const occurrenceKey = (slot: Id<'slot'>, date: string): Key => ({
  pk: planPartition(ownerCodeOf(slot)),
  sk: `${date}#${slot}`,
})
export const planLeaseKey = (owner: OwnerCode): Key => ({ pk: `${owner}#PLAN-LEASE`, sk: 'LEASE' })

export const slotPartition = (owner: OwnerCode) => `${owner}#SLOT`
export const slotKey = (id: Id<'slot'>): Key => ({ pk: slotPartition(ownerCodeOf(id)), sk: id })

export const approvalPartition = (owner: OwnerCode) => `${owner}#APPROVAL`
export const approvalKey = (id: Id<'post'>): Key => ({ pk: approvalPartition(ownerCodeOf(id)), sk: id })

export const ownerDirectoryPartition = 'OWNERS'
export const ownerDirectoryKey = (id: Id<'owner'>, createdAt: Instant): Key => ({
  pk: ownerDirectoryPartition,
  sk: `${timeCode(createdAt)}#${id}`,
})

export const labelPartition = (owner: OwnerCode) => `${owner}#LABEL`
export const labelKey = (id: Id<'label'>): Key => ({ pk: labelPartition(ownerCodeOf(id)), sk: id })

export const mediaKey = (id: Id<'media'>): Key => ({ pk: `${ownerCodeOf(id)}#MEDIA`, sk: id })

export const postPartition = (owner: OwnerCode) => `${owner}#POST`
export const postKey = (id: Id<'post'>): Key => ({ pk: postPartition(ownerCodeOf(id)), sk: id })
export const deletedPostKey = (id: Id<'post'>): Key => ({ pk: `${ownerCodeOf(id)}#POST#DELETED`, sk: id })

export const facetPartition = (
  owner: OwnerCode,
  { of, label, social }: { of: PostClass; label?: string; social?: string },
) => `${owner}#F#${of}${label ? `#L#${label}` : ''}${social ? `#S#${social}` : ''}`

/** The facet rows that a post has: one for its class, one for each label, one for each account. */
export function facetKeys(post: Post): Key[] {
  const owner = ownerCodeOf(post.id)
  const of = classOf(post.status)
  return [
    facetPartition(owner, { of }),
    ...post.labels.map((label) => facetPartition(owner, { of, label })),
    ...post.accounts.map((account) => facetPartition(owner, { of, social: account.id })),
  ].map((pk) => ({ pk, sk: post.id }))
}

export const socialPartition = (owner: OwnerCode) => `${owner}#SOCIAL`
export const socialKey = (id: Id<'social'>): Key => ({ pk: socialPartition(ownerCodeOf(id)), sk: id })
export const removedSocialKey = (id: Id<'social'>): Key => ({
  pk: `${ownerCodeOf(id)}#SOCIAL#REMOVED`,
  sk: id,
})
export const socialNamePartition = (owner: OwnerCode) => `${owner}#SOCIAL#NAME`
/** Sorts by lower-case name, in code points, then by ID: NUL is before every character that a name may hold. */
export const socialNameKey = (id: Id<'social'>, displayName: string): Key => ({
  pk: socialNamePartition(ownerCodeOf(id)),
  sk: `${displayName.toLowerCase()}\0${id}`,
})

/** What is counted for an owner. */
export type Collection =
  | 'POST'
  | 'LABEL'
  | 'SOCIAL'
  | 'SOCIAL-VISIBLE'
  | 'APPROVAL'
  | 'KEY'
  | 'SLOT'
  | 'MEDIA'
export const countPartition = (owner: OwnerCode) => `${owner}#COUNT`
export const ownerCountPartition = 'OWNERS#COUNT'
export const countShards = 16

export const publicationKey = (post: Id<'post'>, social: Id<'social'>): Key => ({
  pk: post,
  sk: `PUB#${social}`,
})
export const attemptKey = (
  post: Id<'post'>,
  social: Id<'social'>,
  { round, attempt, part }: { round: number; attempt: number; part: number },
): Key => ({
  pk: post,
  sk: `PUB#${social}#${round}#${attempt}#${part}`,
})

export const uploadKey = (upload: string): Key => ({ pk: `UPLOAD#${upload}`, sk: 'UPLOAD' })

export const sandboxPartition = (social: Id<'social'>) => `SANDBOX#${social}`
export const sandboxMarkerKey = (social: Id<'social'>, marker: string): Key => ({
  pk: `${sandboxPartition(social)}#MARKER`,
  sk: marker,
})

/** Sparse: only items with a `wakeAt` are in it. */
export const dueIndex = { name: 'due', partitionKey: 'dueShard', sortKey: 'wakeAt' }
const dueShardCount = 8
export const dueShards = Array.from({ length: dueShardCount }, (_, shard) => String(shard))

/** The index attributes of an item that must be looked at then; by its ID it always lies in the same shard. */
export const dueAttributes = (id: Id<IdKind>, wakeAt: Instant) => ({
  dueShard: String((idBody(id).charCodeAt(idBody(id).length - 1) ?? 0) % dueShardCount),
  wakeAt,
})
