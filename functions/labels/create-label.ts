import type { Label } from '#shared/domain/label.ts'
import { fields } from '#shared/edge/fields.ts'
import { LabelReply, showLabel } from '#shared/edge/label-reply.ts'
import { created } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { Title } from './title.ts'

/** Creates a label. */
export const createLabel = route({
  method: 'POST',
  path: '/labels',
  access: 'key',
  summary: 'Create a label',
  body: fields({ title: Title }),
  reply: LabelReply,
  status: 201,
  refusals: [
    {
      status: 400,
      when: 'The title is not acceptable',
      messages: ['title is required', 'title must be a non-empty string'],
    },
  ],
  examples: { body: { title: 'Launch' } },

  async handle({ caller, body, now }, { labels, nextId }) {
    const label: Label = {
      id: nextId('label', caller.owner, now),
      title: body.title,
      created_at: now,
      updated_at: now,
    }
    await labels.create(label)
    return created(showLabel(label))
  },
})
