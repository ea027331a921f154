import * as v from 'valibot'

/** As `v.object`, but a list is refused: to valibot it is an object as well. */
export function plainObject<
  const Entries extends v.ObjectEntries,
  const Message extends v.ErrorMessage<v.ObjectIssue>,
>(entries: Entries, message: Message): v.ObjectSchema<Entries, Message> {
  const schema = v.object(entries, message)
  return {
    ...schema,
    // With its own `this`: `v.partial` makes a copy with other entries.
    '~run'(dataset, config) {
      return schema['~run'].call(this, Array.isArray(dataset.value) ? { value: undefined } : dataset, config)
    },
  }
}
