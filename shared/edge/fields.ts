/** Small schemas that endpoints are made of. */
import * as v from 'valibot'
import { characters } from '#shared/domain/post-input.ts'

/** An object whose missing fields are refused as `<field> is required`. */
export const fields = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object(entries, ({ path }) => {
    const [key] = (path ?? []).slice(-1).map((item) => item.key)
    return `${typeof key === 'string' ? key : 'Request body'} is required`
  })

/** Text that is not blank, without the blanks around it. */
export const titleOf = (field: string, most: number) =>
  v.pipe(
    v.string(`${field} must be a non-empty string`),
    v.trim(),
    v.nonEmpty(`${field} must be a non-empty string`),
    v.check((text) => characters(text) <= most, `${field} must be at most ${most} characters`),
  )

/** One of these words. */
export const oneOf = <const Values extends readonly string[]>(field: string, values: Values) =>
  v.picklist(values, `${field} must be one of: ${values.join(', ')}`)

/** An instant in an answer. */
export const InstantReply = v.pipe(v.string(), v.isoTimestamp(), v.examples(['2026-12-01T09:00:00.000Z']))
