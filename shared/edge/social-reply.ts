import * as v from 'valibot'
import { providerTypes } from '#shared/domain/network.ts'
import type { Social } from '#shared/domain/social.ts'
import { InstantReply } from './fields.ts'

/** A connected account, as callers see it. */
export const SocialReply = v.object({
  id: v.pipe(v.string(), v.examples(['soc_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
  provider_type: v.picklist(providerTypes),
  display_name: v.pipe(v.string(), v.examples(['Acme on Bluesky'])),
  username: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
  status: v.picklist(['active', 'needs_reconnect']),
  sandbox: v.boolean(),
  created_at: InstantReply,
})

/** Credentials and sandbox behaviour stay inside. */
export const showSocial = (social: Social) => ({
  id: social.id,
  provider_type: social.provider_type,
  display_name: social.display_name,
  username: social.username,
  avatar_url: social.avatar_url,
  status: social.status,
  sandbox: social.sandbox,
  created_at: social.created_at,
})
