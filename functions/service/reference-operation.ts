/** One endpoint on the reference page. */
import type { Answer, Content, Description, Method, Operation, Parameter, Schema } from './description.ts'
import { html, inline, json, type Markup, prose } from './html.ts'
import { fieldsOf, nameOf, rulesOf, typeOf } from './reference-schema.ts'

/** An endpoint, with its references followed. */
export interface Endpoint {
  method: Method
  path: string
  operation: Operation
  parameters: Parameter[]
  answers: [status: string, Answer][]
}

/** Refusals that mean the same wherever they occur: the page explains them once. */
export const isCommon = ([status]: Endpoint['answers'][number]): boolean =>
  ['401', '413', '415', '429', '500'].includes(status)

export function endpointOf(endpoint: Endpoint, { components }: Description): Markup {
  const { method, path, operation, parameters, answers } = endpoint
  const body = contentOf(operation.requestBody)?.schema
  const [success, ...refusals] = answers
  const own = refusals.filter((refusal) => !isCommon(refusal))
  return html`
  <section class="endpoint" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
    <div>
      <h3 id="${operation.operationId}-title"><a href="#${operation.operationId}">${operation.summary}</a></h3>
      <p class="address">${badge(method)} <code>${breakable(path)}</code></p>
      ${operation.description && prose(operation.description)}
      <p class="access">${accessOf(operation)}</p>
      ${parameters.length > 0 && html`<h4>Parameters</h4><dl class="fields">${parameters.map(parameterOf)}</dl>`}
      ${body && html`<h4>Body</h4>${fieldsOf(body.$ref ? (components.schemas[nameOf(body.$ref)] ?? {}) : body, 'sent')}`}
      ${success && html`<h4>Answer <span class="status">${success[0]}</span></h4>${answerOf(success[1])}`}
      <h4>Errors</h4>
      ${own.length > 0 && html`<dl class="errors">${own.map(refusalOf)}</dl>`}
      <p class="access">${own.length > 0 && 'Also '}<a href="#errors">${refusals
        .filter(isCommon)
        .map(([status]) => status)
        .join(', ')}</a>.</p>
    </div>
    <div class="examples">
      <figure><figcaption>Request</figcaption><pre tabindex="0">${curl(endpoint)}</pre></figure>
      ${success && exampleAnswer(success)}
    </div>
  </section>`
}

export const badge = (method: Method): Markup =>
  html`<span class="method ${method}">${method.toUpperCase()}</span>`

const breakable = (path: string): Markup =>
  html`${path.split('/').map((part, place) => html`${place > 0 && html`<wbr>/`}${part}`)}`

function accessOf({ security }: Operation): Markup {
  const [scheme] = security.flatMap(Object.keys)
  if (!scheme) return html`Open to anybody.`
  return scheme === 'apiKey' ? html`Takes an API key.` : html`Takes the operator key.`
}

const parameterOf = (parameter: Parameter): Markup => html`
  <div>
    <dt>
      <code>${parameter.name}</code> <span class="type">${typeOf(parameter.schema)} in ${parameter.in}</span>
      ${parameter.required && html`<span class="required">required</span>`}
    </dt>
    <dd>${parameter.description && html`<p>${inline(parameter.description)}</p>`}${rulesOf(parameter.schema)}</dd>
  </div>`

/** What is in the envelope; a document has none. */
function answerOf({ content }: Answer): Markup {
  const [[type, { schema }] = ['', { schema: {} as Schema }]] = Object.entries(content)
  const payload = schema.properties?.['data']
  if (!payload) return html`<p><code>${type}</code></p>`
  if (payload.$ref) return html`<p><code>data</code> is ${typeOf(payload)}.</p>`
  return html`<p><code>data</code> holds:</p>${fieldsOf(payload, 'answered')}`
}

/** A status, when it happens, and the messages it may carry. */
export const refusalOf = ([status, { description, content }]: [string, Answer]): Markup => {
  const examples = Object.values(contentOf({ content })?.examples ?? {})
  const messages = examples.map(({ value }) => (value as { message: string }).message)
  return html`
    <div>
      <dt><span class="status">${status}</span></dt>
      <dd><p>${inline(description)}</p>${messages.map((message) => html`<p><q>${message}</q></p>`)}</dd>
    </div>`
}

const contentOf = (holder: { content: Record<string, Content> } | undefined): Content | undefined =>
  Object.values(holder?.content ?? {})[0]

function exampleAnswer([status, answer]: [string, Answer]): Markup {
  const example = contentOf(answer)?.example
  if (example === undefined) return html``
  return html`
    <figure>
      <figcaption>Answer ${status}</figcaption>
      <pre tabindex="0">${typeof example === 'string' ? example : json(example)}</pre>
    </figure>`
}

/** For a shell: the key comes from the environment, IDs are the examples'. */
function curl({ method, path, operation, parameters }: Endpoint): Markup {
  const address = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    encodeURIComponent(parameters.find((each) => each.name === name)?.example ?? whole),
  )
  const [scheme] = operation.security.flatMap(Object.keys)
  const body = contentOf(operation.requestBody)?.example
  const lines = [
    html`curl ${method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()} `}<span class="text">"$BASE_URL${address}"</span>`,
    ...(scheme
      ? [
          html`-H <span class="text">"Authorization: Bearer $${scheme === 'apiKey' ? 'API_KEY' : 'OPERATOR_KEY'}"</span>`,
        ]
      : []),
    ...(body === undefined
      ? []
      : [
          html`--json <span class="text">'${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'</span>`,
        ]),
  ]
  return html`${lines.map((line, place) => html`${place > 0 && ' \\\n  '}${line}`)}`
}

/** An operation's answers and parameters, with references followed, statuses in order. */
export function readEndpoint(
  method: Method,
  path: string,
  { paths, components }: Description,
): Endpoint | undefined {
  const operation = paths[path]?.[method]
  if (!operation) return undefined
  const own = (operation.parameters ?? []).map((each) =>
    '$ref' in each ? components.parameters[nameOf(each.$ref)] : each,
  )
  const parameters = [...(paths[path]?.parameters ?? []), ...own].filter((each) => each !== undefined)
  const answers = Object.entries(operation.responses).flatMap(([status, each]): [string, Answer][] => {
    const answer = '$ref' in each ? components.responses[nameOf(each.$ref)] : each
    return answer ? [[status, answer]] : []
  })
  return { method, path, operation, parameters, answers }
}
