/** assign-next of 100 posts over 50 slots, beside two ways of finding the same occurrences by asking for each. */
import { openPlan } from './plan.ts'
import { lockAndExpand, probe } from './plan-controls.ts'
import { openSheet } from './sheet.ts'
import type { SizedSuite } from './suite.ts'

const postCount = 100
const smallest = 100

export const suite: SizedSuite = {
  title:
    'assign-next of 100 posts over 50 slots: requests and capacity by the number of posts and of taken occurrences',
  open(ground, data) {
    const sheet = openSheet()
    const plan = openPlan(ground, data)
    /** Requests of the probing control, by the number of taken occurrences. */
    const probes = new Map<number, number>()

    /** What the request costs, and with `beside` what the controls cost. Afterwards everything is as before. */
    async function assign({ taken, each, beside }: { taken: number; each: 1 | 2; beside?: boolean }) {
      const giveBack = await plan.take(taken)
      const { ids, ...drafts } = await plan.makeDrafts(postCount, each)
      const product = await ground.measure(() => ground.own('POST', '/plan/assign-next', { post_ids: ids }))
      const chosen = await drafts.occurrences()
      sheet.expect(
        product.answer.items.every(({ success }: any) => success) && new Set(chosen).size === postCount,
        'each post has an occurrence of its own',
      )
      await drafts.restore()
      const compare = async (control: typeof probe) => {
        const usage = await ground.wire.count(() => control(ground, ids))
        sheet.expect(usage.answer.join() === chosen.join(), 'the control chooses the same occurrences')
        return usage
      }
      const controls = beside && { probing: await compare(probe), expanding: await compare(lockAndExpand) }
      await drafts.remove()
      await giveBack()
      return { product, controls }
    }

    return {
      async at(size) {
        await plan.slots()
        // Nothing that the controls ask for depends on the number of posts: once is enough.
        for (const taken of size === smallest ? ([100, 1_000] as const) : ([1_000] as const)) {
          const name = taken.toLocaleString('en') as '100' | '1,000'
          const { product, controls } = await assign({ taken, each: 1, beside: size === smallest })
          sheet.budget(size, `assign-next, 1 label, 1 account each, ${name} taken`, product)
          if (!controls) continue
          sheet.control(size, `control: per-day probing, ${name} taken (planning only)`, controls.probing)
          sheet.control(size, `control: lock and expand, ${name} taken (planning only)`, controls.expanding)
          probes.set(taken, controls.probing.requests)
        }
        const { product } = await assign({ taken: 1_000, each: 2 })
        sheet.budget(size, 'assign-next, 2 labels, 2 accounts each, 1,000 taken', product)
      },
      report() {
        sheet.expect((probes.get(1_000) ?? 0) > 5 * (probes.get(100) ?? 0), 'probing pays for each taken one')
        return sheet.report()
      },
    }
  },
}
