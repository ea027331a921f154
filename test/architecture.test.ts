import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FunctionSpec } from '../infra/functions.ts'
import { functions } from '../infra/functions.ts'

const root = join(import.meta.dirname, '..')
const files = globSync(['functions/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts'], { cwd: root })
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Where each import of a file leads: a path of ours, or a package. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, target = '']) => {
    if (target.startsWith('#shared/')) return target.replace('#', '')
    return target.startsWith('.') ? relative(root, normalize(join(root, dirname(file), target))) : target
  })

const isOurs = (target: string) => /^(?:functions|shared|infra|test)\//.test(target)

/** Where the files of a place may import from, of ours. The first rule that fits a file counts. */
const directions: [place: RegExp, may: RegExp][] = [
  [/^shared\/domain\//, /^shared\/domain\//],
  [/^shared\/aws\//, /^shared\/(?:aws|domain)\//],
  [/^shared\/(?:env|log)\.ts/, /^shared\/(?:env|domain)/],
  [/^shared\/providers\//, /^shared\/(?:providers|aws|domain)\//],
  // What the sandbox network is, its provider says; where it keeps things, the store does.
  [/^shared\/store\/sandbox-store\.ts/, /^shared\/(?:store|aws|domain|providers)\//],
  [/^shared\/store\//, /^shared\/(?:store|aws|domain)\//],
  [/^shared\/services\.ts/, /^shared\//],
  [/^shared\/edge\//, /^shared\/(?:edge|domain|services\.ts|log\.ts|store\/page\.ts)/],
  [/^infra\/local\//, /^(?:infra|shared)\//],
  [/^infra\//, /^(?:infra\/|shared\/(?:env|domain|edge))/],
]

describe('imports run one way', () => {
  test.each(files.filter((file) => !file.startsWith('functions/')))('%s', (file) => {
    const [, may = /$^/] = directions.find(([place]) => place.test(file)) ?? []
    expect(importsOf(file).filter((target) => isOurs(target) && !may.test(target))).toEqual([])
  })

  test.each(files.filter((file) => file.startsWith('functions/')))('%s', (file) => {
    const [, group = ''] = file.split('/')
    // Effects arrive as the `services` argument; only their types are imported.
    const may = new RegExp(`^(?:functions/${group}/|shared/(?:edge|domain)/)`)
    const types = new Set(
      [...textOf(file).matchAll(/import type [^']*'#(shared\/[^']+)'/g)].map(([, target]) => target),
    )
    const strays = importsOf(file).filter((target) => isOurs(target) && !may.test(target))
    const allowed = (target: string) => types.has(target) || target === 'shared/providers/provider.ts'
    expect(strays.filter((target) => !allowed(target))).toEqual([])
  })
})

describe('what only one place may do', () => {
  const outside = (place: RegExp) => files.filter((file) => !place.test(file))
  const mentioning = (pattern: RegExp, among: string[]) => among.filter((file) => pattern.test(textOf(file)))

  test('import the AWS SDK: shared/aws, and infra/local, which plays the part of AWS', () => {
    expect(mentioning(/'@aws-sdk\//, outside(/^(?:shared\/aws|infra\/local)\//))).toEqual([])
  })

  test('read the environment: env.ts, and the runner, which passes its own on', () => {
    expect(mentioning(/process\.env/, outside(/^(?:shared\/env\.ts|infra\/)/))).toEqual([])
  })

  test('read the clock and randomness: services.ts', () => {
    const impure = /Date\.now|new Date\(\)|Math\.random|randomBytes\(|randomUUID|Temporal\.Now/
    expect(mentioning(impure, outside(/^(?:shared\/services\.ts|infra\/)/))).toEqual(['shared/aws/cipher.ts'])
  })

  test('write a key of the table: layout.ts', () => {
    expect(mentioning(/pk: `|sk: `/, outside(/^shared\/store\/(?:layout|count|sandbox-store)\.ts/))).toEqual(
      [],
    )
  })

  test('the domain is pure: nothing asynchronous, no I/O', () => {
    const domain = files.filter((file) => file.startsWith('shared/domain/'))
    expect(mentioning(/\basync\b|\bawait\b|node:fs|node:net|fetch\(/, domain)).toEqual([])
  })

  test('nobody scans the table', () => {
    expect(mentioning(/ScanCommand/, files)).toEqual([])
  })
})

describe('the map and the doors agree', () => {
  const entries = Object.values<FunctionSpec>(functions).map(({ entry }) => `functions/${entry}.ts`)
  const doors = files.filter((file) => /^functions\/[^/]+\/(?:api|on-[\w-]+)\.ts$/.test(file))

  test('every function of the map has its door, and every door is in the map', () => {
    expect(entries.toSorted()).toEqual(doors.toSorted())
  })

  test('only doors export a handler', () => {
    const exporting = files.filter((file) => /export const handler\b/.test(textOf(file)))
    expect(exporting.toSorted()).toEqual(doors.toSorted())
  })
})

test('the top level is closed', () => {
  const allowed =
    'package.json package-lock.json tsconfig.json cdk.json README.md LICENSE infra functions shared test'
  const made = new Set(['node_modules', 'cdk.out', 'coverage'])
  const top = globSync('*', { cwd: root }).filter((name) => !made.has(name))
  expect(top.toSorted()).toEqual(allowed.split(' ').toSorted())
})
