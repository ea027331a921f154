import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/emulators.ts'],
    env: { LOG_LEVEL: 'SILENT', POWERTOOLS_DEV: 'false' },
    // Doors and emulators are real: a loaded machine may be slow, which is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
