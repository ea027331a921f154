/**
 * What each function weighs, and how long its code takes to load in a fresh process, beside an empty handler. Times are
 * for comparing functions on one machine; nothing is asserted about them.
 */
import { execFile } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Bundle, bundleFunctions } from '../../infra/bundle.ts'
import { type FunctionName, functions } from '../../infra/functions.ts'
import type { PlainSuite } from './suite.ts'

interface Weight {
  /** Everything that is deployed: scripts, source maps. */
  totalKb: number
  /** All scripts, those included that only `import()` would load. */
  scriptsKb: number
  /** The entry and what it imports statically: what every cold start reads. */
  atStartKb: number
}

const runs = 15

export const suite: PlainSuite = {
  title: 'Bundles: what is deployed and loaded in KB, and the import in a fresh process in ms (medians)',
  async run() {
    const bundles = await bundleFunctions()
    const names = Object.keys(functions) as FunctionName[]
    const doors = new Map<string, string>([['(empty)', await writeEmptyHandler()]])
    for (const name of names) doors.set(name, path.join(bundles[name].folder, `${functions[name].entry}.mjs`))

    const times = await measureImports(doors)
    const sizes = await Promise.all(names.map(async (name) => ({ name, ...(await weigh(bundles[name])) })))
    const empty = { name: '(empty)', totalKb: 0, scriptsKb: 0, atStartKb: 0 }
    const rows = [empty, ...sizes].map((size) => ({ ...size, importMs: median(times.get(size.name) ?? []) }))
    return { rows, missed: [] }
  },
}

async function writeEmptyHandler(): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../.build/empty/api.mjs')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, 'export const handler = async () => {}\n')
  return file
}

/** Round by round, so that a busy moment of the machine falls on all functions alike. */
async function measureImports(doors: Map<string, string>): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  for (let run = 0; run < runs; run += 1) {
    for (const [name, door] of doors) times.set(name, [...(times.get(name) ?? []), await importTime(door)])
  }
  return times
}

/** In milliseconds; with source maps on and a region set, as on Lambda. */
async function importTime(door: string): Promise<number> {
  const script = `
    const start = performance.now()
    await import(${JSON.stringify(pathToFileURL(door).href)})
    console.log('imported in', performance.now() - start)
    process.exit()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--enable-source-maps', '--input-type=module', '--eval', script],
    { env: { AWS_REGION: 'eu-west-1' } },
  )
  return Number(/imported in (\S+)/.exec(stdout)?.[1])
}

async function weigh({ folder, files, neededAtStart }: Bundle): Promise<Weight> {
  const kilobytes = async (of: string[]) => {
    const stats = await Promise.all(of.map((file) => stat(path.join(folder, file))))
    return round(stats.reduce((sum, { size }) => sum + size, 0) / 1024)
  }
  return {
    totalKb: await kilobytes(files),
    scriptsKb: await kilobytes(files.filter((file) => file.endsWith('.mjs'))),
    atStartKb: await kilobytes(neededAtStart),
  }
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
