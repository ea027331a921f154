/** HTML from templates: whatever is put in is escaped, save what is markup already. */

export interface Markup {
  markup: string
}

type Part = Markup | string | number | false | undefined | readonly Part[]

export const html = (texts: TemplateStringsArray, ...parts: Part[]): Markup => ({
  markup: texts.map((text, place) => text + render(parts[place])).join(''),
})

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(render).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

/** The Markdown that our descriptions use: paragraphs, `## headings` and `code`. */
export const prose = (text: string): Markup =>
  html`${text.split(/\n{2,}/).map((block) => {
    const [, heading, rest = block] = /^## (.+)\n?([^]*)$/.exec(block) ?? []
    return html`${heading && html`<h2>${heading}</h2>`}<p>${inline(rest)}</p>`
  })}`

/** One line of it. */
export const inline = (text: string): Markup =>
  html`${text.split(/`([^`]+)`/).map((part, place) => (place % 2 === 0 ? part : html`<code>${part}</code>`))}`

/** A value as indented JSON, its kinds of token told apart. */
export const json = (value: unknown): Markup =>
  html`${(JSON.stringify(value, null, 2).match(tokens) ?? []).map((token) => {
    if (token.startsWith('"'))
      return html`<span class="${token.endsWith(':') ? 'key' : 'text'}">${token}</span>`
    return /^[\w-]/.test(token) ? html`<span class="word">${token}</span>` : token
  })}`

const tokens = /"(?:[^"\\]|\\.)*":?|[\w.+-]+|[^"\w.+-]+/g
