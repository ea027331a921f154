import { isVisible } from '#shared/domain/social.ts'
import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SocialReply, showSocial } from '#shared/edge/social-reply.ts'

/** Reads one connected account. */
export const getSocial = route({
  method: 'GET',
  path: '/socials/{id}',
  access: 'key',
  summary: 'Get a connected account',
  reply: SocialReply,

  async handle({ caller, params }, { socials }) {
    const social = await owned('social', params['id'], {
      ...caller,
      thing: 'Social',
      find: async (id) => {
        const found = await socials.find(id)
        return found && isVisible(found) ? found : undefined
      },
    })
    return ok(showSocial(social))
  },
})
