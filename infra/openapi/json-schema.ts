/** Turns valibot schemas into JSON Schema, and keeps those that have a name as components. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  examples?: unknown[]
}

/** Components by name: filled as schemas that have one are met. */
export type Components = Record<string, JsonSchema>

export interface SchemaWriter {
  components: Components
  /** What callers may send. */
  input(schema: v.GenericSchema): JsonSchema
  /** What callers get. */
  output(schema: v.GenericSchema): JsonSchema
}

/** Writes schemas; those in `names` become components, and references to them. */
export function schemaWriter(names: ReadonlyMap<unknown, string>): SchemaWriter {
  const components: Components = {}

  function write(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...written } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      errorMode: 'ignore',
      typeMode,
      overrideSchema({ valibotSchema, jsonSchema }) {
        const plain = noted(shortened(jsonSchema as JsonSchema), valibotSchema)
        const name = names.get(valibotSchema)
        if (!name) return plain as typeof jsonSchema
        components[name] = plain
        return { $ref: `#/components/schemas/${name}` }
      },
      overrideAction: ({ valibotAction, jsonSchema }) =>
        valibotAction.type === 'check'
          ? (noted(jsonSchema as JsonSchema, valibotAction) as typeof jsonSchema)
          : null,
    })
    return written as JsonSchema
  }

  return {
    components,
    input: (schema) => write(schema, 'input'),
    output: (schema) => write(schema, 'output'),
  }
}

/** Without empty lists, and `anyOf: [X, null]` as X whose type may be null. */
function shortened(schema: JsonSchema): JsonSchema {
  if (schema.required?.length === 0) {
    const { required: _, ...rest } = schema
    return rest
  }
  const [inner, none, ...others] = schema.anyOf ?? []
  if (!inner || none?.type !== 'null' || others.length > 0) return schema
  const { anyOf: _, ...rest } = schema
  if (inner.anyOf) return { ...inner, ...rest, anyOf: [...inner.anyOf, none] }
  if (typeof inner.type !== 'string') return schema
  return {
    ...inner,
    ...rest,
    type: [inner.type, 'null'],
    ...(inner.enum && { enum: [...inner.enum, null] }),
  }
}

/**
 * What JSON Schema cannot say, the message of the refusal does: `title must be at most 100 characters`. That
 * something is a string, it says itself.
 */
function noted(schema: JsonSchema, { type, message }: { type: string; message?: unknown }): JsonSchema {
  if (!['string', 'union', 'check'].includes(type) || typeof message !== 'string') return schema
  const rule = /\bmust (?!be a string)(?!.*\bundefined\b).+/s.exec(message)?.[0]
  if (!rule) return schema
  const sentence = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`
  if (schema.description?.includes(sentence)) return schema
  return { ...schema, description: schema.description ? `${schema.description} ${sentence}` : sentence }
}
