import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { SocialReply, showSocial } from '#shared/edge/social-reply.ts'

/** Lists the caller's connected accounts; pending and removed ones are not among them. */
export const listSocials = route({
  method: 'GET',
  path: '/socials',
  access: 'key',
  summary: 'List connected accounts, by display name',
  query: PageQuery,
  reply: pageOf(SocialReply),

  async handle({ caller, query }, { socials }) {
    const page = await socials.listVisible(caller.owner, readPageRequest(query, 'socials'))
    return ok(toList(page, 'socials', showSocial))
  },
})
