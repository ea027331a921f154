/** One post, its reading and its writing: the same whatever the number of posts. */
import { plusSeconds } from '#shared/domain/instant.ts'
import { openSheet } from './sheet.ts'
import type { SizedSuite } from './suite.ts'

export const suite: SizedSuite = {
  title: 'One post: requests and capacity by the number of posts',
  open(ground, { labels, accounts, idAt }) {
    const sheet = openSheet()
    const { own, measure, clock } = ground
    const draft = {
      // 1.5 KB as they are stored.
      text: 'x'.repeat(480),
      labels: labels.slice(0, 2),
      accounts: accounts.slice(0, 2),
    }
    return {
      async at(size) {
        const old = `/posts/${idAt(size / 2)}`
        sheet.budget(size, 'GET /posts/{id}', await measure(() => own('GET', old)))
        clock.advance(3_601)
        const use = 'GET /posts/{id}, first use of the key in an hour'
        sheet.budget(size, use, await ground.wire.count(() => own('GET', old)))

        const made = await measure(() => own('POST', '/posts', draft))
        sheet.budget(size, 'POST /posts, 2 labels, 2 accounts', made)
        const path = `/posts/${made.answer.id}`
        const change = (fields: object) => measure(() => own('PATCH', path, fields))
        sheet.budget(size, 'PATCH /posts/{id}, text', await change({ text: 'y'.repeat(480) }))
        const scheduled_at = plusSeconds(clock.now(), 366 * 86_400)
        const scheduled = await change({ status: 'scheduled', scheduled_at })
        sheet.budget(size, 'PATCH /posts/{id}, to scheduled', scheduled)
        await own('PATCH', path, { status: 'draft' })
        sheet.budget(size, 'DELETE /posts/{id}, draft', await measure(() => own('DELETE', path)))
        sheet.expect((await own('GET', '/posts')).total === size, `there are ${size} posts afterwards`)
      },
      report: () => sheet.report(),
    }
  },
}
