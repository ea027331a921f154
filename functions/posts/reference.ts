/** What the reference page says of every write to a post. */
import type { Refusal } from '#shared/edge/route.ts'

export const writeRefusals: Refusal[] = [
  {
    status: 400,
    when: 'A field, a validation rule or a network’s limit is broken; `errors` names each field',
    messages: [
      'scheduled_at is required when status is scheduled',
      'One or more labels were not found',
      'One or more accounts were not found',
      'One or more media were not found',
      'Post is too large',
    ],
  },
  {
    status: 403,
    when: 'A label, account or media item belongs to another owner',
    messages: ['Access denied'],
  },
]

export const beingPublished: Refusal = {
  status: 409,
  when: 'The post is going out at this moment',
  messages: ['Post is being published'],
}

export const exampleInput = {
  text: 'We are live!',
  accounts: ['soc_4Z7K2M9QWX01JE3Z5W8R0000000000000000'],
  labels: ['lbl_4Z7K2M9QWX01JE3Z5W8R0000000000000000'],
  status: 'scheduled',
  scheduled_at: '2026-12-01T09:00:00Z',
}
