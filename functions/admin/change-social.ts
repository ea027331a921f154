import { ownerCodeOf } from '#shared/domain/id.ts'
import { ownedBelow } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { AdminSocialReply, SocialPatch, showAdminSocial } from './social-schema.ts'

/** Changes an account; `status: active` also ends that it needs reconnecting. */
export const changeSocial = route({
  method: 'PATCH',
  path: '/admin/owners/{owner}/socials/{id}',
  access: 'operator',
  summary: 'Change a connected account',
  body: SocialPatch,
  partial: true,
  reply: AdminSocialReply,
  examples: { body: { sandbox_behavior: 'fail_once' } },

  async handle({ params, body, now }, { owners, socials, cipher }) {
    const owner = ownerCodeOf((await owners.get(params['owner'] ?? '')).id)
    const { id } = await ownedBelow('social', params['id'], { owner, thing: 'Social', find: socials.find })
    const { credentials, ...fields } = body
    const sealed = credentials && { credentials: await cipher.seal(JSON.stringify(credentials), id) }
    const social = await socials.change(id, (before) => ({
      ...before,
      ...fields,
      ...sealed,
      updated_at: now,
    }))
    return ok(showAdminSocial(social))
  },
})
