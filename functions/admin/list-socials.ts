import { ownerCodeOf } from '#shared/domain/id.ts'
import { PageQuery, pageOf, readPageRequest, toList } from '#shared/edge/page.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { AdminSocialReply, showAdminSocial } from './social-schema.ts'

/** Lists an owner's accounts, newest first; pending ones too. */
export const listSocials = route({
  method: 'GET',
  path: '/admin/owners/{owner}/socials',
  access: 'operator',
  summary: 'List connected accounts, newest first',
  query: PageQuery,
  reply: pageOf(AdminSocialReply),

  async handle({ params, query }, { owners, socials }) {
    const owner = await owners.get(params['owner'] ?? '')
    const page = await socials.list(ownerCodeOf(owner.id), readPageRequest(query, 'admin socials'))
    return ok(toList(page, 'admin socials', showAdminSocial))
  },
})
