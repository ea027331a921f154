import * as v from 'valibot'
import type { Label } from '#shared/domain/label.ts'
import { InstantReply } from './fields.ts'

/** A label, as callers see it. */
export const LabelReply = v.object({
  id: v.pipe(v.string(), v.examples(['lbl_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
  title: v.pipe(v.string(), v.examples(['Launch'])),
  created_at: InstantReply,
  updated_at: InstantReply,
})

export const showLabel = ({
  id,
  title,
  created_at,
  updated_at,
}: Label): v.InferOutput<typeof LabelReply> => ({
  id,
  title,
  created_at,
  updated_at,
})
