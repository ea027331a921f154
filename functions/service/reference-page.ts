/** The reference page: one HTML document that loads nothing and runs nothing, made from the OpenAPI description. */
import type { Description, Schema } from './description.ts'
import { methods } from './description.ts'
import { html, inline, type Markup, prose } from './html.ts'
import type { Endpoint } from './reference-operation.ts'
import { badge, endpointOf, isCommon, readEndpoint, refusalOf } from './reference-operation.ts'
import { fieldsOf, nameOf } from './reference-schema.ts'
import { style } from './reference-style.ts'

interface Group {
  id: string
  name: string
  description: string
  endpoints: Endpoint[]
}

export function referencePage(description: Description): string {
  const { info } = description
  const groups = groupsOf(description)
  const endpoints = groups.flatMap((group) => group.endpoints)
  const schemas = answeredSchemas(description, endpoints)
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="description" content="${info.summary}">
  <title>${info.title} API reference</title>
  <link rel="icon" href="data:,">
  <style>${{ markup: style }}</style>
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  <nav aria-label="Endpoints">
    <p class="brand"><a href="#content">${info.title}</a> <span>${info.version}</span></p>
    ${groups.map(navigationOf)}
    <h2><a href="#errors">Common errors</a></h2>
    <h2><a href="#schemas">Schemas</a></h2>
    <ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
  </nav>
  <main id="content">
    <header>
      <h1>${info.title} API</h1>
      <p class="lead">${info.summary}</p>
      ${prose(info.description)}
      <p class="meta">Version ${info.version} · ${info.license.name} · <a href="openapi.json">OpenAPI 3.1 description</a></p>
    </header>
    ${groups.map(
      ({ id, name, description: about, endpoints: own }) => html`
    <section class="group" id="${id}" aria-labelledby="${id}-title">
      <h2 id="${id}-title">${name}</h2>
      <p class="lead">${inline(about)}</p>
      ${own.map((endpoint) => endpointOf(endpoint, description))}
    </section>`,
    )}
    <section class="group" id="errors" aria-labelledby="errors-title">
      <h2 id="errors-title">Common errors</h2>
      <p class="lead">They mean the same at every endpoint.</p>
      <dl class="errors">${commonErrors(endpoints).map(refusalOf)}</dl>
    </section>
    <section class="group" id="schemas" aria-labelledby="schemas-title">
      <h2 id="schemas-title">Schemas</h2>
      ${schemas.map(
        ([name, schema]) => html`
      <section class="schema" id="schema-${name}">
        <h3><a href="#schema-${name}">${name}</a></h3>
        ${fieldsOf(schema, 'answered')}
      </section>`,
      )}
    </section>
  </main>
</body>
</html>
`.markup
}

const navigationOf = ({ id, name, endpoints }: Group): Markup => html`
    <h2><a href="#${id}">${name}</a></h2>
    <ul>${endpoints.map(
      ({ method, operation }) => html`
      <li><a href="#${operation.operationId}">${badge(method)} ${operation.summary}</a></li>`,
    )}
    </ul>`

function groupsOf(description: Description): Group[] {
  const endpoints = Object.keys(description.paths).flatMap((path) =>
    methods.flatMap((method) => readEndpoint(method, path, description) ?? []),
  )
  return description.tags.map(({ name, description: about }) => ({
    id: name.toLowerCase(),
    name,
    description: about,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

/** Each status once, in order. */
function commonErrors(endpoints: Endpoint[]): Endpoint['answers'] {
  const answers = endpoints.flatMap((endpoint) => endpoint.answers.filter(isCommon))
  return Object.entries(Object.fromEntries(answers))
}

/** Those that a link may lead to: the fields of bodies stand with their endpoint. */
function answeredSchemas({ components }: Description, endpoints: Endpoint[]): [name: string, Schema][] {
  const bodies = endpoints.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}))
  const sent = new Set(bodies.map(({ schema }) => schema.$ref && nameOf(schema.$ref)))
  return Object.entries(components.schemas).filter(([name]) => !sent.has(name))
}
