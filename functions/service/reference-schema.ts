/** Schemas on the reference page: a list of fields, each with its type and its rules. */
import type { Schema } from './description.ts'
import { html, inline, type Markup } from './html.ts'

/** Who fills the fields in: callers must be told what is required, and what may be absent from an answer. */
export type Use = 'sent' | 'answered'

/** The fields of an object; nested objects below their field, references as links to their section. */
export function fieldsOf({ properties = {}, required = [] }: Schema, use: Use): Markup {
  const fields = Object.entries(properties)
  if (fields.length === 0) return html`<p>An object.</p>`
  return html`<dl class="fields">${fields.map(([name, field]) => {
    const isRequired = required.includes(name)
    const mark = use === 'sent' ? isRequired && 'required' : !isRequired && 'optional'
    return fieldOf(name, field, { mark, use })
  })}</dl>`
}

function fieldOf(name: string, field: Schema, { mark, use }: { mark: string | false; use: Use }): Markup {
  const nested = nestedIn(field)
  return html`
    <div>
      <dt>
        <code>${name}</code> <span class="type">${typeOf(field)}</span>
        ${mark && html`<span class="${mark}">${mark}</span>`}
      </dt>
      <dd>${rulesOf(field)}${nested && fieldsOf(nested, use)}</dd>
    </div>`
}

/** What it is for, and what it may be. */
export function rulesOf(schema: Schema): Markup {
  const values = schema.enum?.filter((value) => value !== null) ?? schema.items?.enum ?? []
  const isPlain =
    schema.default !== undefined && schema.default !== null && typeof schema.default !== 'object'
  const limits = limitsOf(schema)
  return html`
    ${schema.description && html`<p>${inline(schema.description)}</p>`}
    ${limits && html`<p>${limits}.</p>`}
    ${values.length > 0 && html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`}
    ${isPlain && html`<p>Default <code>${String(schema.default)}</code>.</p>`}`
}

function limitsOf({ minimum, maximum, maxLength, maxItems }: Schema): string {
  const limits = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    maxLength !== undefined && `at most ${maxLength.toLocaleString('en-US')} characters`,
    maxItems !== undefined && `at most ${maxItems} items`,
  ].filter((limit) => limit !== false)
  const text = limits.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** In words: `string or null`, `array of Post`. */
export function typeOf(schema: Schema): Markup {
  if (schema.$ref) return linkTo(nameOf(schema.$ref))
  if (schema.anyOf)
    return html`${schema.anyOf.map((part, place) => html`${place > 0 && ' or '}${typeOf(part)}`)}`
  if (schema.allOf) return html`object`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.items) return html`array of ${typeOf(schema.items)}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return html`${schema.format === 'date-time' ? types.replace('string', 'datetime') : types}`
}

/** The object below a field, or below the items of a list, when it has no section of its own. */
function nestedIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (schema.items) return nestedIn(schema.items)
  if (schema.allOf)
    return { properties: Object.assign({}, ...schema.allOf.map(({ properties }) => properties)) }
  const [found] = schema.anyOf?.flatMap((part) => nestedIn(part) ?? []) ?? []
  return found
}

/** The last part of a reference. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const linkTo = (name: string): Markup => html`<a href="#schema-${name}">${name}</a>`
