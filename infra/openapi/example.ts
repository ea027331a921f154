/** Examples that the schemas themselves suggest, for endpoints that give none. */
import type { Components, JsonSchema } from './json-schema.ts'

/** A value that the schema admits: its own example where it has one, null where it may be null. */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  const example = (part: JsonSchema) => exampleOf(part, components)
  const { $ref, examples, anyOf, oneOf, allOf } = schema
  if ($ref) return example(components[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})
  if (mayBeNull(schema)) return null
  if (examples) return examples[0]
  if ('default' in schema) return schema.default
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = anyOf ?? oneOf ?? []
  if (first) return example(first)
  if (allOf) return Object.assign({}, ...allOf.map(example)) as unknown
  if (schema.type === 'object') return exampleObject(schema, components)
  if (schema.type === 'array') return schema.minItems && schema.items ? [example(schema.items)] : []
  return plainExample(schema)
}

const mayBeNull = ({ type, anyOf = [] }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf.some((part) => part.type === 'null')

/** What must be there, and nothing else; a list shows one of its items. */
function exampleObject({ properties = {}, required = [] }: JsonSchema, components: Components) {
  const present = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(
    present.map(([name, part]) => [
      name,
      name === 'items' && part.items ? [exampleOf(part.items, components)] : exampleOf(part, components),
    ]),
  )
}

function plainExample({ type, format, minimum }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return false
  return format === 'date-time' ? '2026-12-01T09:00:00.000Z' : 'string'
}
