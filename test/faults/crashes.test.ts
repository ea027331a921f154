import { beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { classOf } from '#shared/domain/post.ts'
import type { PublishJob } from '#shared/domain/publish-job.ts'
import type { Provider } from '#shared/providers/provider.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { deliverTo, type Failure, failingAt, openProcess } from '../support/faults.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { type Posting, posting } from '../support/posting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let post: Posting

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts, ...labels] })
  owner = await makeOwner(world)
  post = posting(world, owner)
})

/** One post, and the process that works on it until it dies. */
interface Doomed {
  id: Id<'post'>
  text: string
  process: ReturnType<typeof doomedProcess>
}

function doomedProcess(n: number, failure: Failure) {
  const fate = failingAt(n, failure)
  return { ...fate, services: openProcess(world, { around: fate.around }) }
}

const byText = (one: string, other: string) => one.localeCompare(other)

/** Lets time pass; each post's jobs go to its own process, and once that is dead, to a healthy one. */
async function pass(seconds: number, doomed: Doomed[], step = 5): Promise<void> {
  const processes = new Map(doomed.map(({ id, process }) => [id, process]))
  const processOf = (job: PublishJob) => {
    const own = processes.get(job.post)
    return own && !own.dead() ? own.services : world.services
  }
  for (let gone = 0; gone < seconds; gone += step) {
    world.clock.advance(step)
    await world.tick()
    await deliverTo(world, processOf)
  }
}

describe('wherever a process fails, each account gets the post once', () => {
  test.each([
    {
      behaviors: ['publish', 'publish'],
      replies: [],
      fails: ['answer lost', 'refused'] as const,
    },
    { behaviors: ['publish', 'slow'], replies: ['One'], fails: ['dies after'] as const },
    { behaviors: ['crash_after_publish', 'fail_once'], replies: [], fails: ['dies before'] as const },
  ])('$behaviors with $replies.length replies: $fails', async ({ behaviors, replies, fails }) => {
    const accounts = await Promise.all(
      behaviors.map((sandbox_behavior) => owner.addSocial({ sandbox_behavior })),
    )
    const label = await owner.addLabel()
    const schedule = async (n: number, failure: Failure): Promise<Doomed> => {
      const text = `Call ${n}: ${failure}`
      const subposts = replies.map((reply) => ({ text: reply }))
      const id = await post.schedule(accounts, { text, subposts, labels: [label], seconds: 200 })
      return { id, text, process: doomedProcess(n, failure) }
    }
    // The first one only counts the calls.
    const unharmed = await schedule(Number.POSITIVE_INFINITY, 'refused')
    await pass(240, [unharmed], 10)
    const calls = unharmed.process.calls()
    expect(calls).toBeGreaterThan(15)

    const points = Array.from({ length: calls }, (_, index) => index + 1)
    const doomed = await Promise.all(points.flatMap((n) => fails.map((failure) => schedule(n, failure))))
    await pass(195, doomed, 65)
    await pass(240, doomed)

    const all = [unharmed, ...doomed]
    const ended = await Promise.all(all.map(({ id }) => post.read(id)))
    expect(ended.filter(({ status }) => status !== 'published').map(({ text }) => text)).toEqual([])
    for (const [place, account] of accounts.entries()) {
      const items: any[] = await owner.sandbox(account)
      expect(items.map(({ text }) => text as string).toSorted(byText)).toEqual(
        all.map(({ text }) => text).toSorted(byText),
      )
      for (const item of items) {
        expect(item.replies.map(({ text }: any) => text)).toEqual(replies)
        const publication = ended.find(({ text }) => text === item.text).publications[place]
        expect(publication).toMatchObject({
          social_provider_id: account,
          status: 'published',
          platform_post_id: item.platform_post_id,
          error: null,
        })
      }
    }
    await post.expectFacets(ended, [label])
    // The messages that came back find nothing to do any more.
    await pass(400, [], 50)
    expect(await post.due()).toEqual([])
    expect(world.queue.waiting).toEqual([])
    expect(await owner.sandbox(accounts[0]!)).toHaveLength(all.length)
  })
})

describe('a process that dies within the call to the network', () => {
  const dying = (provider: Provider, when: 'before' | 'after', fate: { dead: boolean }): Provider => ({
    ...provider,
    async publish(job) {
      const accepted = when === 'after' ? await provider.publish(job) : undefined
      fate.dead = true
      throw new Error(`Died ${when} ${accepted?.platform_post_id}`)
    },
  })

  test.each([
    { when: 'before', behavior: 'publish', status: 'published', items: 1 },
    { when: 'after', behavior: 'publish', status: 'published', items: 1 },
    { when: 'before', behavior: 'slow', status: 'published', items: 1 },
    { when: 'after', behavior: 'slow', status: 'published', items: 1 },
    // Nobody can tell the one from the other: neither is sent again.
    { when: 'before', behavior: 'crash_after_publish_blind', status: 'outcome_unknown', items: 0 },
    { when: 'after', behavior: 'crash_after_publish_blind', status: 'outcome_unknown', items: 1 },
  ] as const)('$when acceptance, on $behavior: $status', async ({ when, behavior, status, items }) => {
    const account = await owner.addSocial({ sandbox_behavior: behavior })
    const id = await post.schedule([account])
    const fate = { dead: false }
    const doomed = openProcess(world, {
      around: async (_, call) => {
        if (fate.dead) throw new Error('The process is dead')
        return call()
      },
    })
    const services = {
      ...doomed,
      providerFor: async (...given: Parameters<typeof doomed.providerFor>) =>
        dying(await doomed.providerFor(...given), when, fate),
    }
    for (let gone = 0; gone < 120; gone++) {
      world.clock.advance(1)
      await world.tick()
      await deliverTo(world, () => (fate.dead ? world.services : services))
    }
    const ended = await post.read(id)
    expect(ended.publications).toMatchObject([{ status }])
    expect(ended.status).toBe(status === 'published' ? 'published' : 'failed')
    expect(await owner.sandbox(account)).toHaveLength(items)
    expect(classOf(ended.status)).toBe(ended.status)
    await post.expectFacets([ended])
  })
})
