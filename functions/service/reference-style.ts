/** How the reference page looks: the reader's own fonts, light or dark as they have it. */
import { createHash } from 'node:crypto'

export const style = `
:root {
  --paper: #fff; --ink: #1b1f27; --quiet: #59616e; --line: #e3e6ec; --soft: #f5f6f9; --accent: #2f55d4;
  --code: #f5f6f9; --key: #1d4f91; --text: #24683a; --word: #9a3412;
  --get: #1f6f43; --post: #2450c9; --patch: #8a5a00; --delete: #b3261e; --on-method: #fff;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12151b; --ink: #e4e7ed; --quiet: #9aa3b2; --line: #2a303b; --soft: #1a1e26; --accent: #93b0ff;
    --code: #1a1e26; --key: #9cc3ff; --text: #9bd6a9; --word: #f3b27d;
    --get: #7bd3a0; --post: #93b0ff; --patch: #eebf6b; --delete: #ff9d94; --on-method: #12151b;
  }
}
* { box-sizing: border-box; scrollbar-width: thin; scrollbar-color: var(--quiet) transparent }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100% }
body {
  margin: 0; display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px }
code, pre { font-family: var(--mono) }
code { font-size: .875em; overflow-wrap: anywhere }
p code, dd code { background: var(--soft); border-radius: 4px; padding: .1em .3em }
.skip { position: absolute; left: -100rem; background: var(--paper); padding: .5rem 1rem; z-index: 1 }
.skip:focus { left: 1rem; top: 1rem }

nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1rem 2rem 1.5rem;
  background: var(--soft); border-right: 1px solid var(--line); font-size: .875rem;
}
nav a { color: inherit; text-decoration: none; display: block; padding: .22rem .5rem; border-radius: 6px }
nav a:hover { background: var(--line) }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .875rem }
nav ul { list-style: none; margin: 0; padding: 0; color: var(--quiet) }
nav li a { display: flex; gap: .5rem; align-items: baseline }
nav .method { flex: 0 0 3.4rem; background: none; padding: 0; text-align: left }
nav .get { color: var(--get) } nav .post { color: var(--post) } nav .patch { color: var(--patch) } nav .delete { color: var(--delete) }
.brand { margin: 0; display: flex; align-items: baseline; justify-content: space-between; color: var(--quiet) }
.brand a { font-size: 1.125rem; font-weight: 700; color: var(--ink) }

main { padding: 3rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 90rem }
header, .schema, .group > .lead, .group > .errors { max-width: 44rem }
h1 { margin: 0; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em }
.lead { margin: .5rem 0 1.5rem; font-size: 1.125rem; color: var(--quiet) }
header h2 { margin: 1.75rem 0 0; font-size: 1rem }
header p { margin: .4rem 0 }
header .lead { margin: .5rem 0 1.5rem }
.meta { padding-top: 1.25rem; color: var(--quiet); font-size: .9375rem }
.group { margin-top: 4.5rem }
.group > h2 { margin: 0; font-size: 1.625rem; letter-spacing: -.01em }

.endpoint { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 3rem; padding: 2.5rem 0; border-top: 1px solid var(--line) }
.endpoint h3, .schema h3 { margin: 0; font-size: 1.1875rem }
.endpoint h3 a, .schema h3 a { color: inherit; text-decoration: none }
.endpoint h3 a:hover, .schema h3 a:hover { text-decoration: underline }
.endpoint h4 { margin: 1.75rem 0 .25rem; font-size: .875rem }
.address { margin: .5rem 0 .75rem; line-height: 1.8 }
.address code { background: none; padding: 0 0 0 .25rem; font-size: .9375rem }
.endpoint > div > p { margin: .35rem 0; max-width: 40rem }
.access { color: var(--quiet); font-size: .9375rem }
.method { display: inline-block; padding: .1rem .45rem; border-radius: 4px; color: var(--on-method); font: 600 .6875rem/1.5 var(--mono); letter-spacing: .03em }
.get { background: var(--get) } .post { background: var(--post) } .patch { background: var(--patch) } .delete { background: var(--delete) }

dl { margin: 0 }
.fields > div, .errors > div { padding: .6rem 0; border-top: 1px solid var(--line) }
.fields > div:first-child, .errors > div:first-child { border-top: 0 }
dt code, dd dt code { font-weight: 600; background: none; padding: 0 }
.type, .required, .optional { margin-left: .35rem; font-size: .8125rem; color: var(--quiet) }
.required { color: var(--word); font-weight: 600 }
dd { margin: 0; font-size: .9375rem }
dd p { margin: .15rem 0; color: var(--quiet) }
dd .fields { margin: .4rem 0 0 .25rem; padding-left: 1rem; border-left: 2px solid var(--line) }
.values code { margin-right: .2rem; white-space: nowrap }
.errors > div { display: grid; grid-template-columns: 3.25rem 1fr }
.errors q { font-family: var(--mono); font-size: .8125rem; color: var(--ink); quotes: none }
.status { font: 600 .8125rem/1.7 var(--mono); font-variant-numeric: tabular-nums }
.schema { padding: 1.75rem 0; border-top: 1px solid var(--line) }
.schema h3 { margin-bottom: .5rem }

.examples { position: sticky; top: 1.5rem; align-self: start }
figure { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--code) }
figcaption { padding: .4rem .9rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .8125rem }
pre { margin: 0; padding: .8rem .9rem; overflow: auto; max-height: 26rem; font-size: .8125rem; line-height: 1.55; tab-size: 2 }
.key { color: var(--key) } .text { color: var(--text) } .word { color: var(--word) }

@media (max-width: 75rem) {
  .endpoint { grid-template-columns: minmax(0, 1fr) }
  .examples { position: static; margin-top: 1.5rem }
}
@media (max-width: 48rem) {
  body { display: block }
  nav { height: auto; display: flex; gap: .25rem; align-items: center; overflow-x: auto; padding: .6rem 1rem; border-right: 0; border-bottom: 1px solid var(--line); z-index: 1 }
  nav ul, .brand span { display: none }
  nav h2 { margin: 0 }
  html { scroll-padding-top: 4rem }
  main { padding-top: 2rem }
}
@media print { nav, .skip { display: none } body { display: block } pre { max-height: none; white-space: pre-wrap } }
`

/** Allows the page its own style and nothing else: no script, no font, no picture, no other host. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
