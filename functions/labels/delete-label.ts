import { LabelReply, showLabel } from '#shared/edge/label-reply.ts'
import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Deletes a label; the stream then takes it off the posts that carry it (`on-change.ts`). */
export const deleteLabel = route({
  method: 'DELETE',
  path: '/labels/{id}',
  access: 'key',
  summary: 'Delete a label',
  description: 'Answers the label as it was. It is taken off posts and slots within seconds.',
  reply: LabelReply,

  async handle({ caller, params }, { labels }) {
    const label = await owned('label', params['id'], { ...caller, thing: 'Label', find: labels.find })
    await labels.remove(label)
    return ok(showLabel(label))
  },
})
