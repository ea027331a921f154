import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { readEnv } from '#shared/env.ts'
import { type DataFolder, openDataFolder, openTemporaryFolder } from './data-folder.ts'
import { keptOr } from './kept-text.ts'
import { endWithNpm } from './orphan.ts'
import { refuseTakenPort } from './ports.ts'
import { openScreen, type Screen } from './screen.ts'
import { type Demo, findDemo, seedDemo } from './seed.ts'
import { type Service, startService } from './service.ts'
import { readSettings, type Settings } from './settings.ts'
import { StartProblem } from './start-problem.ts'

/** `.local/` in the checkout, or `POSTHASTE_DATA`: a second runner on one machine needs a folder of its own. */
const dataFolder = process.env['POSTHASTE_DATA'] ?? fileURLToPath(new URL('../../.local/', import.meta.url))

/** Runs the service until a signal ends it; answers the exit code of the process. */
export async function run(words: string[]): Promise<number> {
  const stopping = nextSignal()
  endWithNpm()
  let screen = openScreen(false)
  try {
    const settings = readSettings(words)
    if (!settings) return 0
    screen = openScreen(settings.quiet)
    await refuseTakenPort(settings.port)
    const folder = settings.inMemory ? await openTemporaryFolder() : await openDataFolder(dataFolder)
    try {
      return await serve(settings, { folder, screen, stopping })
    } finally {
      await folder.close()
    }
  } catch (problem) {
    screen.fatal(problem)
    return 1
  }
}

const makeKey = () => randomBytes(24).toString('base64url')

interface Surroundings {
  folder: DataFolder
  screen: Screen
  stopping: Promise<string>
}

async function serve(settings: Settings, { folder, screen, stopping }: Surroundings): Promise<number> {
  const { path } = folder
  const operatorKey = settings.operatorKey ?? (await keptOr(path, 'operator-key', makeKey))
  const dynamodb = readEnv().endpoints.dynamodb || undefined

  const service = await startService({ ...settings, folder: path, operatorKey, dynamodb }, screen)
  try {
    const demo = await findOrSeed({ settings, service, operatorKey, path, screen })
    screen.ready({ baseUrl: service.baseUrl, operatorKey, demo, milliseconds: performance.now() })
    await Promise.race([stopping, service.broken.then((part) => Promise.reject(new StartProblem(part)))])
    screen.step('Stopping')
    return 0
  } finally {
    await service.stop()
  }
}

async function findOrSeed(given: {
  settings: Settings
  service: Service
  operatorKey: string
  path: string
  screen: Screen
}): Promise<Demo | undefined> {
  const { settings, service, operatorKey, path, screen } = given
  const found = await findDemo(path)
  if (found || !settings.seed) return found
  screen.step('Making a demo workspace')
  try {
    return await seedDemo({ baseUrl: service.baseUrl, operatorKey, folder: path })
  } catch (problem) {
    screen.warning(`The demo workspace could not be made: ${(problem as Error).message}`)
    return undefined
  }
}

/** Settles at the first signal that asks for the end; a second one ends the process on the spot. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve)
  })
}
