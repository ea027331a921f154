import { expect, test } from 'vitest'
import { makeOwnerAt, startRunner } from '../support/runner.ts'

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

test('killed at any moment: what was acknowledged is there, and goes out once', async () => {
  const runner = await startRunner()
  const owner = await makeOwnerAt(runner)
  const account = await owner.addSocial()
  const acknowledged: string[] = []
  for (let round = 0; round < 3; round++) {
    const creating = Array.from({ length: 10 }, (_, n) =>
      owner
        .call('POST', '/posts', {
          text: `Post ${round}.${n}`,
          accounts: [account],
          status: 'scheduled',
          scheduled_at: inSeconds(1 + n / 5),
        })
        .then(
          ({ status, body }) => status === 201 && acknowledged.push(body.data.id),
          () => undefined,
        ),
    )
    const enough = acknowledged.length + 4
    await expect
      .poll(() => acknowledged.length, { timeout: 30_000, interval: 1 })
      .toBeGreaterThanOrEqual(enough)
    await runner.kill()
    await Promise.all(creating)
    await runner.start()
  }

  const posts = await Promise.all(acknowledged.map((id) => owner.finished(id)))
  expect(posts.every(({ status }) => status === 'published')).toBe(true)
  // Of those that nobody heard back from, some were created: they go out as well, and once.
  const { total } = (await owner.call('GET', '/posts')).body.data
  expect(total).toBeGreaterThanOrEqual(acknowledged.length)
  await expect
    .poll(async () => (await owner.sandbox(account)).length, { timeout: 60_000, interval: 200 })
    .toBe(total)
  const texts = (await owner.sandbox(account)).map(({ text }: { text: string }) => text)
  expect(new Set(texts).size).toBe(texts.length)
})
