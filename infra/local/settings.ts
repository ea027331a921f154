import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { readEnv } from '#shared/env.ts'
import { StartProblem } from './start-problem.ts'

/** What the caller of `npm start` wants. */
export interface Settings {
  port: number
  /** Keep nothing after the end. */
  inMemory: boolean
  /** Undefined: one is made up. */
  operatorKey?: string
  /** Make a demo workspace: what was asked for, or what suits the other settings. */
  seed: boolean
  quiet: boolean
}

/** Reads the command line; refuses what it does not know in one line. Undefined: only help was wanted, and given. */
export function readSettings(words: string[]): Settings | undefined {
  const program = new Command('npm start --')
    .description('Runs all of Posthaste on this machine.')
    .option('--port <number>', 'where to listen', toPort, 4000)
    .option('--in-memory', 'keep nothing; otherwise data is kept in .local/', false)
    .option(
      '--operator-key <key>',
      'bearer key of /admin (default: OPERATOR_KEY, or a random one kept in .local/)',
    )
    .option('--seed', 'make a demo workspace (default on a first start, unless --in-memory)')
    .option('--no-rate-limit', 'serve any number of requests')
    .option('--quiet', 'print nothing but what goes wrong', false)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
  try {
    program.parse(words, { from: 'user' })
  } catch (problem) {
    if (!(problem instanceof CommanderError)) throw problem
    if (problem.exitCode === 0) return undefined
    throw new StartProblem(problem.message.replace(/^error: /, '').replaceAll('\n', ' '))
  }

  const { port, inMemory, operatorKey, seed, quiet } = program.opts()
  return {
    port,
    inMemory,
    operatorKey: operatorKey || readEnv().operatorKey || undefined,
    seed: seed ?? !inMemory,
    quiet,
  }
}

function toPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 1 to 65535.')
}
