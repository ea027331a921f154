/** The committed OpenAPI description (`npm run openapi` writes it), as far as this group reads it. */

export interface Description {
  info: { title: string; version: string; summary: string; description: string; license: { name: string } }
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Answer>
    parameters: Record<string, Parameter>
  }
}

export const methods = ['get', 'post', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]
export type PathItem = { parameters?: Parameter[] } & { [method in Method]?: Operation }

interface Reference {
  $ref: string
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, unknown>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Answer | Reference>
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
  example?: string
  'x-greedy'?: boolean
}

export interface Answer {
  description: string
  content: Record<string, Content>
}

export interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
}

/** Read on first use: most requests to this group need none of it. */
export async function loadDescription(): Promise<Description> {
  const { default: description } = await import('./openapi.json', { with: { type: 'json' } })
  return description as unknown as Description
}
