import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Social } from '#shared/domain/social.ts'
import { created } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { AdminSocialReply, SocialInput, showAdminSocial } from './social-schema.ts'

/** Adds a connected account: a sandbox one, or one whose credentials are known already. */
export const createSocial = route({
  method: 'POST',
  path: '/admin/owners/{owner}/socials',
  access: 'operator',
  summary: 'Add a connected account',
  body: SocialInput,
  reply: AdminSocialReply,
  status: 201,
  examples: { body: { provider_type: 'bluesky', display_name: 'Acme on Bluesky', sandbox: true } },

  async handle({ params, body, now }, { owners, socials, cipher, nextId }) {
    const owner = await owners.get(params['owner'] ?? '')
    const id = nextId('social', ownerCodeOf(owner.id), now)
    const social: Social = {
      id,
      provider_type: body.provider_type,
      display_name: body.display_name,
      username: body.username ?? null,
      avatar_url: body.avatar_url ?? null,
      status: body.status ?? 'active',
      sandbox: body.sandbox,
      sandbox_behavior: body.sandbox_behavior ?? 'publish',
      credentials: body.credentials ? await cipher.seal(JSON.stringify(body.credentials), id) : null,
      created_at: now,
      updated_at: now,
    }
    await socials.create(social)
    return created(showAdminSocial(social))
  },
})
