/** Requests and capacity units of each endpoint and job, the API key's read included: an overview, without budgets. */
import { plusSeconds } from '#shared/domain/instant.ts'
import { dispatchDue } from '../../functions/publisher/dispatch-due.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { costOf } from './budgets.ts'
import { type Ground, onGround } from './ground.ts'
import type { PlainSuite, Report, Row } from './suite.ts'

export const suite: PlainSuite = {
  title: 'Each endpoint: requests and capacity',
  run: () => onGround(measureEach),
}

async function measureEach(ground: Ground): Promise<Report> {
  const { own, operator, clock, queue, services } = ground
  const rows: Row[] = []
  async function measure(request: string, work: () => Promise<unknown>) {
    // Half a minute later no process knows the key any more: every count includes its read.
    clock.advance(60)
    rows.push({ request, ...costOf(await ground.wire.count(work)) })
  }
  const addSocial = () =>
    operator('POST', `/admin/owners/${ground.ownerId}/socials`, {
      provider_type: 'mastodon',
      display_name: 'Bench',
      sandbox: true,
    })

  const label = await own('POST', '/labels', { title: 'One' })
  const secondLabel = await own('POST', '/labels', { title: 'Two' })
  const [account, secondAccount] = [await addSocial(), await addSocial()]
  const draft = {
    text: 'x'.repeat(400),
    labels: [label.id, secondLabel.id],
    accounts: [account.id, secondAccount.id],
  }
  for (let n = 0; n < 100; n++) await own('POST', '/posts', draft)
  const { id: post } = await own('POST', '/posts', draft)

  await measure('GET /status', () => own('GET', '/status'))
  await measure('GET /posts (20 of 101)', () => own('GET', '/posts'))
  const byLabels = `labels=${label.id},${secondLabel.id}`
  await measure('GET /posts?labels=a,b&status=draft', () => own('GET', `/posts?${byLabels}&status=draft`))
  await measure('GET /posts?labels=a,b', () => own('GET', `/posts?${byLabels}`))
  await measure('GET /posts/{id}', () => own('GET', `/posts/${post}`))
  await measure('POST /posts (2 labels, 2 accounts)', () => own('POST', '/posts', draft))
  await measure('PATCH /posts/{id} (text)', () => own('PATCH', `/posts/${post}`, { text: 'New' }))
  const soon = () => ({ status: 'scheduled', scheduled_at: plusSeconds(clock.now(), 5) })
  await measure('PATCH /posts/{id} (schedule)', () => own('PATCH', `/posts/${post}`, soon()))
  await measure('publishing: take the post', async () => {
    clock.advance(5)
    for (const { body } of queue.take()) await doPublishJob(body as never, services)
  })
  const [first, ...others] = queue.take()
  await measure('publishing: one account', () => doPublishJob(first?.body as never, services))
  await measure('publishing: the last account', async () => {
    for (const { body } of others) await doPublishJob(body as never, services)
  })
  await measure('tick (nothing due)', () => dispatchDue(services))
  const { id: doomed } = await own('POST', '/posts', draft)
  await measure('DELETE /posts/{id}', () => own('DELETE', `/posts/${doomed}`))
  await measure('GET /labels (2)', () => own('GET', '/labels'))
  await measure('GET /labels/{id}', () => own('GET', `/labels/${label.id}`))
  await measure('POST /labels', () => own('POST', '/labels', { title: 'Three' }))
  await measure('PATCH /labels/{id}', () => own('PATCH', `/labels/${label.id}`, { title: 'Four' }))
  await measure('DELETE /labels/{id}', () => own('DELETE', `/labels/${label.id}`))
  await measure('GET /socials (2)', () => own('GET', '/socials'))
  await measure('GET /socials/{id}', () => own('GET', `/socials/${account.id}`))

  return { rows, missed: [] }
}
