import { expect, test } from 'vitest'
import { startRunner } from '../support/runner.ts'

test('when only npm is killed, the runner goes with it, and the next start has port and data', async () => {
  const runner = await startRunner()
  const { body } = await runner.operator('POST', '/admin/owners', { type: 'user', name: 'Survivor' })
  runner.killNpm()
  await expect.poll(() => runner.isHealthy(), { timeout: 20_000 }).toBe(false)
  await runner.start()
  expect((await runner.operator('GET', `/admin/owners/${body.data.id}`)).body.data.name).toBe('Survivor')
})
