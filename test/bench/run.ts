/**
 * Every suite, or one: requests and capacity against the budgets, then figures for comparison.
 *
 *   node test/bench/run.ts [--only lists|writes|assign|endpoints|cpu|bundles] [--million] [--json]
 *
 * Ends with 1 when a budget is not met exactly. Times are for comparing on one machine; nothing is asserted of them.
 */
import { parseArgs } from 'node:util'
import { setEnv } from '#shared/env.ts'
import { unmeasured } from './sheet.ts'
import type { PlainSuite, Report, SizedSuite } from './suite.ts'

// The log reads its level when it is loaded: the suites, and with them the service, come after this.
setEnv({ logLevel: 'ERROR' })
// Interrupted, it still takes its data away.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

type Suites<Suite> = Record<string, () => Promise<{ suite: Suite }>>

const sized: Suites<SizedSuite> = {
  lists: () => import('./lists.ts'),
  writes: () => import('./writes.ts'),
  assign: () => import('./assign.ts'),
}
const plain: Suites<PlainSuite> = {
  endpoints: () => import('./endpoints.ts'),
  cpu: () => import('./cpu.ts'),
  bundles: () => import('./bundles.ts'),
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    million: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const sizes = [100, 10_000, 100_000, ...(options.million ? [1_000_000] : [])]
const chosen = <Suite>(suites: Suites<Suite>) =>
  Object.entries(suites).filter(([name]) => !options.only || name === options.only)
const [chosenSized, chosenPlain] = [chosen(sized), chosen(plain)]
if (chosenSized.length + chosenPlain.length === 0) throw new Error(`There is no suite ${options.only}`)

const reports: (Report & { suite: string; title: string })[] = [
  ...(chosenSized.length > 0 ? await runSized(chosenSized) : []),
  ...(await runPlain(chosenPlain)),
]
const missed = reports.flatMap((report) => report.missed)
if (!options.only) missed.push(...unmeasured(reports).map((request) => `${request}: not measured`))

if (options.json) console.log(JSON.stringify({ reports, missed }, null, 2))
else for (const line of missed) console.log(`✗ ${line}`)
if (missed.length > 0) process.exitCode = 1
else if (!options.json && chosenSized.length > 0) console.log('✓ Every budget is met exactly.')

/** All of them on one set of posts, from size to size. */
async function runSized(suites: [string, Suites<SizedSuite>[string]][]) {
  const { onGround } = await import('./ground.ts')
  const { openData } = await import('./posts.ts')
  return onGround(async (ground) => {
    const data = await openData(ground)
    const open = await Promise.all(
      suites.map(async ([name, load]) => {
        const { suite } = await load()
        return { suite: name, title: suite.title, ...suite.open(ground, data) }
      }),
    )
    for (const size of sizes) {
      progress(`growing to ${size} posts`)
      await data.growTo(size)
      for (const { suite, at } of open) {
        progress(`${suite} at ${size} posts`)
        await at(size)
      }
    }
    data.close()
    return open.map(({ suite, title, report }) => print({ suite, title, ...report() }))
  })
}

async function runPlain(suites: [string, Suites<PlainSuite>[string]][]) {
  const done = []
  for (const [name, load] of suites) {
    progress(name)
    const { suite } = await load()
    done.push(print({ suite: name, title: suite.title, ...(await suite.run()) }))
  }
  return done
}

function print<Done extends Report & { title: string }>(done: Done): Done {
  if (!options.json) {
    console.log(`\n${done.title}`)
    console.table(done.rows)
  }
  return done
}

/** To the other stream, so that the answer is nothing but the answer. */
function progress(what: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${what}`)
}
