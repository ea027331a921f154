/** What the application gets of an API key. */
import * as v from 'valibot'
import type { ApiKey } from '#shared/domain/api-key.ts'
import { InstantReply } from '#shared/edge/fields.ts'

const entries = {
  id: v.pipe(v.string(), v.examples(['key_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
  name: v.pipe(v.string(), v.examples(['CI'])),
  last_four: v.pipe(v.string(), v.examples(['7Q2K'])),
  created_at: InstantReply,
  last_used_at: v.pipe(v.nullable(InstantReply), v.description('To the hour.')),
}

export const KeyReply = v.object(entries)
export const NewKeyReply = v.object({
  ...entries,
  key: v.pipe(
    v.string(),
    v.description('The key itself: only in this answer.'),
    v.examples(['ph_4Z7K…_9XQ2…']),
  ),
})

export const showKey = ({ id, name, last_four, created_at, last_used_at }: ApiKey) => ({
  id,
  name,
  last_four,
  created_at,
  last_used_at,
})
