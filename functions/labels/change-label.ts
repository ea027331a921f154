import * as v from 'valibot'
import { LabelReply, showLabel } from '#shared/edge/label-reply.ts'
import { owned } from '#shared/edge/owned.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { Title } from './title.ts'

/** Changes a label's title. */
export const changeLabel = route({
  method: 'PATCH',
  path: '/labels/{id}',
  access: 'key',
  summary: 'Change a label',
  body: v.object({ title: v.optional(Title) }),
  partial: true,
  reply: LabelReply,
  refusals: [
    { status: 400, when: 'The title is not acceptable', messages: ['title must be a non-empty string'] },
  ],
  examples: { body: { title: 'Relaunch' } },

  async handle({ caller, params, body, now }, { labels }) {
    const label = await owned('label', params['id'], { ...caller, thing: 'Label', find: labels.find })
    return ok(showLabel(await labels.rename(label.id, { title: body.title ?? label.title, updated_at: now })))
  },
})
