import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleDoors } from '../../infra/bundle.ts'

const doors = {
  posts: { entry: 'posts/api' },
  labels: { entry: 'labels/api' },
  alone: { entry: 'labels/on-change' },
}

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'posthaste-bundle-'))
  write('shared/rules.ts', `export const rule = (text: string) => 'shared rule: ' + text`)
  write('shared/rare.ts', `export const rare = 'seldom used'`)
  write('functions/posts/api.ts', door(`rule('posts') + (await import('../../shared/rare.ts')).rare`))
  write('functions/labels/api.ts', door(`rule('labels')`))
  write('functions/labels/on-change.ts', `export const handler = async () => 'alone'`)
})

afterEach(() => rmSync(root, { recursive: true }))

test('each function gets its entry and the chunks that it can reach, with their source maps', async () => {
  const { posts, labels, alone } = await bundle()
  expect(posts.neededAtStart).toHaveLength(2)
  expect(posts.files.filter((file) => file.endsWith('.mjs'))).toHaveLength(3)
  expect(posts.files.filter((file) => file.endsWith('.mjs.map'))).toHaveLength(3)
  expect(labels.files).toEqual(['labels/api.mjs', 'labels/api.mjs.map', ...chunksOf(labels.files)])
  expect(chunksOf(posts.files)).toEqual(expect.arrayContaining(chunksOf(labels.files)))
  expect(alone.files).toEqual(['labels/on-change.mjs', 'labels/on-change.mjs.map'])
})

test('a bundled handler runs from its own folder, what it loads later included', async () => {
  const { posts, labels, alone } = await bundle()
  expect(run(posts.folder, 'posts/api')).toBe('shared rule: postsseldom used')
  expect(run(labels.folder, 'labels/api')).toBe('shared rule: labels')
  expect(run(alone.folder, 'labels/on-change')).toBe('alone')
})

test('a change in one door leaves what is deployed of the others as it was', async () => {
  const before = contents(await bundle())
  write('functions/posts/api.ts', door(`rule('posts, changed')`))
  const after = contents(await bundle())
  expect(after.labels).toEqual(before.labels)
  expect(after.alone).toEqual(before.alone)
  expect(after.posts).not.toEqual(before.posts)
})

test('a stack trace names the line of the repository, and source maps say nothing of packages', async () => {
  write('node_modules/strict/index.js', `export const refuse = (text) => {\n  throw new Error(text)\n}`)
  write(
    'shared/check.ts',
    `import { refuse } from 'strict'\n\nexport const check = () => {\n  refuse('no')\n}`,
  )
  const failing = `import { check } from '../../shared/check.ts'\n\nexport const handler = async () =>\n  check()`
  write('functions/labels/api.ts', failing)
  write('functions/posts/api.ts', failing)
  const { labels } = await bundle()

  const trace = run(labels.folder, 'labels/api').replaceAll(labels.folder, '')
  expect(trace).toMatch(/ \(?\/shared\/check\.ts:4:3\)?$/m)
  expect(trace).toMatch(/ \(?\/functions\/labels\/api\.ts:4:3\)?$/m)
  const maps = labels.files.filter((file) => file.endsWith('.map'))
  const sources: string[] = maps.flatMap(
    (file) => JSON.parse(readFileSync(path.join(labels.folder, file), 'utf8')).sources,
  )
  expect(new Set(sources)).toEqual(new Set(['../functions/labels/api.ts', '../shared/check.ts']))
})

test('assets of a group travel beside its doors', async () => {
  write('functions/labels/assets/page.html', '<p>hello</p>')
  const { labels, posts } = await bundle()
  expect(readFileSync(path.join(labels.folder, 'labels/assets/page.html'), 'utf8')).toBe('<p>hello</p>')
  expect(labels.files).toContain('labels/assets/page.html')
  expect(posts.files.join()).not.toContain('assets')
})

const bundle = () => bundleDoors({ doors, root, into: path.join(root, 'out') })

const door = (result: string) =>
  `import { rule } from '../../shared/rules.ts'\nexport const handler = async () => ${result}\n`

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

const chunksOf = (files: string[]) => files.filter((file) => file.startsWith('chunks/'))

const contents = (bundles: Awaited<ReturnType<typeof bundle>>) =>
  Object.fromEntries(
    Object.entries(bundles).map(([name, { folder, files }]) => [
      name,
      Object.fromEntries(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')])),
    ]),
  )

/** What the handler answers, or the stack trace of its failure. */
function run(folder: string, entry: string): string {
  const url = pathToFileURL(path.join(folder, `${entry}.mjs`)).href
  const script = `
    const { handler } = await import('${url}')
    process.stdout.write(await handler().catch(({ stack }) => stack))`
  const options = ['--enable-source-maps', '--input-type=module', '--eval', script]
  return execFileSync(process.execPath, options, { encoding: 'utf8' })
}
