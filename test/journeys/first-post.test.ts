import { expect, test } from 'vitest'
import { makeOwnerAt, startRunner } from '../support/runner.ts'

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

test('a post travels from an API key to two networks', async () => {
  const runner = await startRunner()
  const owner = await makeOwnerAt(runner)
  expect((await owner.call('GET', '/status')).body.data).toMatchObject({
    status: 'ok',
    username: 'Traveller',
  })

  const label = (await owner.call('POST', '/labels', { title: 'Launch' })).body.data
  const accounts = [
    await owner.addSocial({ provider_type: 'bluesky' }),
    await owner.addSocial({ sandbox_behavior: 'slow' }),
  ]
  const scheduled_at = inSeconds(2)
  const created = await owner.call('POST', '/posts', {
    text: 'Hello from Posthaste',
    labels: [label.id],
    accounts,
    status: 'scheduled',
    scheduled_at,
  })
  expect(created).toMatchObject({ status: 201, body: { data: { status: 'scheduled', scheduled_at } } })

  const post = await owner.finished(created.body.data.id)
  expect(post).toMatchObject({
    status: 'published',
    labels: [label.id],
    publications: [{ status: 'published' }, { status: 'published' }],
  })
  expect(post.published_at >= scheduled_at).toBe(true)
  for (const account of accounts) {
    expect(await owner.sandbox(account)).toMatchObject([{ text: 'Hello from Posthaste' }])
  }

  // The label comes off through the table's stream.
  await owner.call('DELETE', `/labels/${label.id}`)
  await expect
    .poll(async () => (await owner.call('GET', `/posts/${post.id}`)).body.data.labels, { timeout: 30_000 })
    .toEqual([])
})
