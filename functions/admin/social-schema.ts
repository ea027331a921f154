/** What the application sends and gets of a connected account. */
import * as v from 'valibot'
import { providerTypes } from '#shared/domain/network.ts'
import type { Social } from '#shared/domain/social.ts'
import { sandboxBehaviors } from '#shared/domain/social.ts'
import { fields, InstantReply, oneOf, titleOf } from '#shared/edge/fields.ts'
import { SocialReply, showSocial } from '#shared/edge/social-reply.ts'

const shortText = (field: string, most: number) =>
  v.nullable(
    v.pipe(
      v.string(`${field} must be a string or null`),
      v.maxLength(most, `${field} must be at most ${most} characters`),
    ),
  )

/** Sorts the list by name: characters that nobody sees have no place in it. */
const DisplayName = v.pipe(
  titleOf('display_name', 200),
  v.regex(/^\P{Cc}*$/u, 'display_name must not contain control characters'),
)

/** KMS seals 4,096 bytes. */
const Credentials = v.pipe(
  v.record(v.string(), v.unknown(), 'credentials must be an object'),
  v.check(
    (credentials) => Buffer.byteLength(JSON.stringify(credentials)) <= 4_096,
    'credentials must be at most 4,096 bytes as JSON',
  ),
)

const changeable = {
  display_name: DisplayName,
  username: shortText('username', 300),
  avatar_url: shortText('avatar_url', 2_048),
  credentials: Credentials,
  sandbox_behavior: oneOf('sandbox_behavior', sandboxBehaviors),
  status: oneOf('status', ['active', 'pending']),
}

export const SocialInput = fields({
  ...v.partial(v.object(changeable)).entries,
  provider_type: oneOf('provider_type', providerTypes),
  display_name: DisplayName,
  sandbox: v.optional(v.boolean('sandbox must be true or false'), false),
})

export const SocialPatch = v.partial(v.object(changeable))

export const AdminSocialReply = v.object({
  ...SocialReply.entries,
  status: v.picklist(['active', 'pending', 'needs_reconnect']),
  sandbox_behavior: v.picklist(sandboxBehaviors),
  updated_at: InstantReply,
})

export const showAdminSocial = (social: Social) => ({
  ...showSocial(social),
  sandbox_behavior: social.sandbox_behavior,
  updated_at: social.updated_at,
})
