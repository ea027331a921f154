/** Path and query parameters of the description. */
import type * as v from 'valibot'
import { exampleOf } from './example.ts'
import type { Components, JsonSchema, SchemaWriter } from './json-schema.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
  /** It takes the rest of the path, slashes included. */
  'x-greedy'?: true
}

/** A parameter of a path, and what its ID names: `Label` for `/labels/{id}`. */
export interface PathParameter {
  thing: string
  parameter: Parameter
}

/** The path as OpenAPI has it: `/media/{id+}` is `/media/{id}` there. */
export const templateOf = (path: string): string => path.replaceAll('+}', '}')

export const pathParametersOf = (path: string, components: Components): PathParameter[] =>
  [...path.matchAll(/([\w-]+)\/\{(\w+)(\+?)\}/g)].map(([, collection = '', name = '', greedy]) => {
    const thing = thingOf(collection)
    const id = components[thing]?.properties?.['id']
    return {
      thing,
      parameter: {
        name,
        in: 'path',
        required: true,
        description: `${/^[AEIOU]/.test(thing) ? 'An' : 'A'} ${thing.toLowerCase()} ID.`,
        schema: { type: 'string' },
        ...(id && { example: exampleOf(id, components) }),
        ...(greedy && { 'x-greedy': true }),
      },
    }
  })

/** `labels` → `Label`, `deliveries` → `Delivery`, `media` → `Media`. */
function thingOf(collection: string): string {
  const one = collection.replace(/ies$/, 'y').replace(/s$/, '')
  return one.charAt(0).toUpperCase() + one.slice(1)
}

export function queryParametersOf(query: v.GenericSchema | undefined, { input }: SchemaWriter): Parameter[] {
  const { properties = {}, required = [] } = query ? input(query) : {}
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description && { description }),
    schema: name === 'limit' ? pageLimit : schema,
  }))
}

// The edge reads it as text, to refuse what is no number in the documented words.
const pageLimit: JsonSchema = { type: 'integer', minimum: 1, default: 20 }
