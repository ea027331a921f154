import * as v from 'valibot'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { InstantReply } from '#shared/edge/fields.ts'
import { ownedBelow } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

const reply = {
  platform_post_id: v.string(),
  text: v.string(),
  media: v.array(
    v.object({
      id: v.string(),
      content_type: v.string(),
      size: v.pipe(v.number(), v.integer()),
      sha256: v.string(),
    }),
  ),
  published_at: InstantReply,
}

/** Shows what the sandbox network accepted for an account, newest first: a duplicate publication would show. */
export const readSandbox = route({
  method: 'GET',
  path: '/admin/owners/{owner}/socials/{id}/sandbox',
  access: 'operator',
  summary: 'Read what a sandbox account published',
  reply: v.object({
    items: v.array(v.object({ ...reply, url: v.string(), replies: v.array(v.object(reply)) })),
  }),

  async handle({ params }, { owners, socials, sandbox }) {
    const owner = ownerCodeOf((await owners.get(params['owner'] ?? '')).id)
    const { id } = await ownedBelow('social', params['id'], {
      owner,
      thing: 'Social',
      find: socials.findEver,
    })
    return ok({ items: await sandbox.list(id) })
  },
})
