/** What the application sends and gets of an owner. */
import * as v from 'valibot'
import type { Owner } from '#shared/domain/owner.ts'
import { plainObject } from '#shared/domain/plain-object.ts'
import { isTimeZone } from '#shared/domain/time-zone.ts'
import { fields, InstantReply, oneOf, titleOf } from '#shared/edge/fields.ts'

const flag = (name: string) => v.boolean(`settings.${name} must be true or false`)

const Settings = plainObject(
  {
    timezone: v.pipe(
      v.string('settings.timezone must be a valid IANA timezone'),
      v.check(isTimeZone, 'settings.timezone must be a valid IANA timezone'),
      v.examples(['Europe/Paris']),
    ),
    exact_slot_times: flag('exact_slot_times'),
    requires_approval: flag('requires_approval'),
  },
  'settings must be an object',
)

const entries = {
  type: oneOf('type', ['user', 'workspace']),
  name: titleOf('name', 200),
}

export const OwnerInput = fields({ ...entries, settings: v.optional(v.partial(Settings), {}) })
export const OwnerPatch = v.partial(v.object({ ...entries, settings: v.partial(Settings) }))

export const OwnerReply = v.object({
  id: v.pipe(v.string(), v.examples(['own_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
  type: v.picklist(['user', 'workspace']),
  name: v.pipe(v.string(), v.examples(['Acme'])),
  settings: Settings,
  created_at: InstantReply,
  updated_at: InstantReply,
})

export const showOwner = ({ id, type, name, settings, created_at, updated_at }: Owner) => ({
  id,
  type,
  name,
  settings,
  created_at,
  updated_at,
})
