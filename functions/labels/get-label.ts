import { LabelReply, showLabel } from '#shared/edge/label-reply.ts'
import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Reads one label. */
export const getLabel = route({
  method: 'GET',
  path: '/labels/{id}',
  access: 'key',
  summary: 'Get a label',
  reply: LabelReply,

  async handle({ caller, params }, { labels }) {
    return ok(showLabel(await owned('label', params['id'], { ...caller, thing: 'Label', find: labels.find })))
  },
})
