import type { OwnerCode } from '#shared/domain/id.ts'
import { isId } from '#shared/domain/id.ts'
import type { ProviderType } from '#shared/domain/network.ts'
import type { Owner, OwnerSettings } from '#shared/domain/owner.ts'
import { defaultSettings } from '#shared/domain/owner.ts'
import type { MediaType } from '#shared/domain/post.ts'
import type { References } from '#shared/domain/reference.ts'
import { checkReferences, noReferences, plausible, without } from '#shared/domain/reference.ts'
import { isVisible } from '#shared/domain/social.ts'
import type { Item, Key, Table } from '../aws/table.ts'
import { labelKey, mediaKey, ownerKey, socialKey } from './layout.ts'

export type ReferenceStore = ReturnType<typeof referenceStore>

/** What the decision on a post must know of the things that the request names. */
export interface Resolved {
  settings: OwnerSettings
  requiresApproval: boolean
  providerTypes: Record<string, ProviderType>
  mediaTypes: Record<string, MediaType>
}

/** The owner's settings and everything that a post names, in one batch read. */
export const referenceStore = (table: Table) => ({
  /** Reads what the request names; the answer refuses what may not be named, save what the post named `before`. */
  async find(owner: OwnerCode, references: References): Promise<(before?: References) => Resolved> {
    const { media, labels, accounts } = plausible(references)
    const things = [...media.map(mediaKey), ...labels.map(labelKey), ...accounts.map(socialKey)]
    const items = await readAll(table, [ownerKey(owner), ...things])
    const found = new Map(items.map((item) => [item.sk, item]))
    const settings = (found.get('OWNER') as Owner | undefined)?.settings ?? defaultSettings
    const exists = (id: string) => found.has(id) && (!isId('social', id) || isVisible(found.get(id) as never))

    return (before = noReferences) => {
      checkReferences(owner, without(references, before), exists)
      return {
        settings,
        requiresApproval: settings.requires_approval,
        providerTypes: attributes(accounts.filter(exists), 'provider_type'),
        mediaTypes: attributes(media.filter(exists), 'type'),
      }
    }

    function attributes<Value>(ids: string[], name: string): Record<string, Value> {
      return Object.fromEntries(ids.map((id) => [id, found.get(id)?.[name] as Value]))
    }
  },
})

/** What an eventually consistent read does not find is asked for again: it may have been made a moment ago. */
async function readAll(table: Table, keys: Key[]): Promise<Item[]> {
  const items = await table.getMany(keys)
  const absent = keys.filter(({ pk, sk }) => !items.some((item) => item.pk === pk && item.sk === sk))
  return [...items, ...(await table.getMany(absent, { consistent: true }))]
}
