import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeOwnerAt, startRunner } from '../support/runner.ts'

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

test('killed between claim and publish, and started again: exactly one item on each account', async () => {
  const runner = await startRunner()
  const owner = await makeOwnerAt(runner)
  // Slow accounts work for three seconds between being claimed and going out.
  const accounts = await Promise.all([1, 2, 3].map(() => owner.addSocial({ sandbox_behavior: 'slow' })))
  const post = { text: 'Once', accounts, status: 'scheduled' }
  const { data } = (await owner.call('POST', '/posts', { ...post, scheduled_at: inSeconds(1) })).body
  const { data: later } = (await owner.call('POST', '/posts', { ...post, scheduled_at: inSeconds(3) })).body
  await expect
    .poll(async () => (await owner.call('GET', `/posts/${data.id}`)).body.data.status, {
      timeout: 30_000,
      interval: 20,
    })
    .toBe('publishing')

  await runner.kill()
  // The second post comes due while nobody is there.
  await pause(3_000)
  await runner.start()

  expect(await owner.finished(data.id)).toMatchObject({ status: 'published' })
  expect(await owner.finished(later.id)).toMatchObject({ status: 'published' })
  for (const account of accounts) expect(await owner.sandbox(account)).toHaveLength(2)
})
