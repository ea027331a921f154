/** Where a suite notes what it measured, and is told apart what was to be so and what was not. */
import { budgets, costOf, differences, limitsOf, type Request } from './budgets.ts'
import type { Report, Row } from './suite.ts'
import type { Usage } from './wire.ts'

export function openSheet() {
  const rows: Row[] = []
  const missed: string[] = []
  return {
    /** A request that has a budget: it is met exactly, or missed. */
    budget(posts: number, request: Request, usage: Usage): void {
      const cost = costOf(usage)
      const wrong = differences(request, cost)
      missed.push(...wrong.map((each) => `${request} at ${posts} posts: ${each}`))
      rows.push({ posts, request, ...cost, limits: limitsOf(request), verdict: wrong.join('; ') || 'exact' })
    },
    /** The same done otherwise: shown for comparison. */
    control(posts: number, request: string, usage: Usage): void {
      rows.push({ posts, request: `  ${request}`, ...costOf(usage), limits: '', verdict: '' })
    },
    /** Something that must hold, or the figures mean nothing. */
    expect(isSo: boolean, sentence: string): void {
      if (!isSo) missed.push(`Not so: ${sentence}`)
    },
    report: (): Report => ({ rows, missed }),
  }
}

/** Budgets that no suite of a whole run has measured. */
export const unmeasured = (reports: Report[]): Request[] => {
  const measured = new Set(reports.flatMap(({ rows }) => rows.map(({ request }) => request)))
  return (Object.keys(budgets) as Request[]).filter((request) => !measured.has(request))
}
