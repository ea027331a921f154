import { stderr, stdout } from 'node:process'
import type { Demo } from './seed.ts'
import { StartProblem } from './start-problem.ts'

/** All that the local run prints. */
export interface Screen {
  /** What is being done, while somebody waits for it. */
  step(text: string): void
  ready(facts: { baseUrl: string; operatorKey: string; demo?: Demo; milliseconds: number }): void
  /** What a function of the service threw. */
  functionFailed(name: string, error: unknown): void
  /** What did not work out; the service runs on. */
  warning(text: string): void
  /** Why the service does not run (any more). */
  fatal(error: unknown): void
}

/** A quiet screen shows only what goes wrong. */
export function openScreen(quiet: boolean): Screen {
  const say = (text: string) => void (quiet || stdout.write(`${text}\n`))
  return {
    step: (text) => say(`· ${text}`),
    ready: (facts) => say(readyText(facts)),
    functionFailed: (name, error) => complain(`${name} failed: ${detail(error)}`),
    warning: complain,
    fatal: (error) => complain(error instanceof StartProblem ? error.message : detail(error)),
  }
}

const complain = (text: string) => void stderr.write(`${text}\n`)

const detail = (error: unknown) => (error instanceof Error && error.stack) || String(error)

function readyText({ baseUrl, operatorKey, demo, milliseconds }: Parameters<Screen['ready']>[0]): string {
  const facts = [
    '',
    `Posthaste is ready after ${(milliseconds / 1000).toFixed(1)} s. Ctrl-C stops it.`,
    '',
    `  Base URL      ${baseUrl}`,
    `  Operator key  ${operatorKey}`,
  ]
  if (!demo)
    return [
      ...facts,
      '',
      'A first request makes a workspace:',
      '',
      firstOwner(baseUrl, operatorKey),
      '',
    ].join('\n')
  return [
    ...facts,
    `  API key       ${demo.key}`,
    '',
    'A first post, to two sandbox accounts, in five seconds:',
    '',
    firstPost(baseUrl, demo),
    '',
  ].join('\n')
}

const firstPost = (
  baseUrl: string,
  { key, accountIds }: Demo,
) => `  curl ${baseUrl}/posts -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"text":"Hello from Posthaste","status":"scheduled","accounts":${JSON.stringify(accountIds)},
         "scheduled_at":"'"$(node -p 'new Date(Date.now() + 5000).toISOString()')"'"}'`

const firstOwner = (
  baseUrl: string,
  operatorKey: string,
) => `  curl ${baseUrl}/admin/owners -H 'Authorization: Bearer ${operatorKey}' \\
    -H 'Content-Type: application/json' -d '{"type":"workspace","name":"My workspace"}'`
