import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readEnv } from '#shared/env.ts'
import { type Endpoints, startEmulators } from '../../infra/local/emulators.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The emulators that every test file shares: `inject('endpoints')`. Each file makes a table of its own. */
    endpoints: Endpoints
  }
}

/** Vitest's global set-up: one set of emulators for the whole run, gone with everything in it afterwards. */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-test-'))
  const emulators = await startEmulators({ folder, dynamodb: readEnv().endpoints.dynamodb || undefined })
  project.provide('endpoints', emulators.endpoints)

  return async () => {
    await emulators.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
