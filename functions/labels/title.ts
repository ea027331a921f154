import { titleOf } from '#shared/edge/fields.ts'

/** A label's title: trimmed, not empty, at most 100 characters; it need not be unique. */
export const Title = titleOf('title', 100)
