import { ownerCodeOf } from '#shared/domain/id.ts'
import { ownedBelow } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { AdminSocialReply, showAdminSocial } from './social-schema.ts'

/** Disconnects an account and forgets its credentials. What it published stays published. */
export const deleteSocial = route({
  method: 'DELETE',
  path: '/admin/owners/{owner}/socials/{id}',
  access: 'operator',
  summary: 'Remove a connected account',
  description: 'Posts that still name it fail on this account. Answers the account as it was.',
  reply: AdminSocialReply,

  async handle({ params, now }, { owners, socials }) {
    const owner = ownerCodeOf((await owners.get(params['owner'] ?? '')).id)
    const { id } = await ownedBelow('social', params['id'], { owner, thing: 'Social', find: socials.find })
    return ok(showAdminSocial(await socials.remove(id, now)))
  },
})
