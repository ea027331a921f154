/**
 * The CPU that a request takes in its process, beside the same requests to DynamoDB made with nothing but the SDK: what
 * is between the two is ours. For comparing on one machine; nothing is asserted.
 */
import type { Id } from '#shared/domain/id.ts'
import { type Ground, onGround } from './ground.ts'
import { openPlan } from './plan.ts'
import { openData } from './posts.ts'
import { openReplay, type Renew } from './replay.ts'
import type { PlainSuite, Report, Row } from './suite.ts'
import type { Wave } from './wire.ts'

interface Subject {
  request: string
  times: number
  /** By way of the wire or past it. */
  call(api: Api): Promise<any>
  /** Before each call, unmeasured. */
  before?: () => Promise<void>
  renew?: Renew
}

type Api = (method: string, path: string, body?: unknown) => Promise<any>

export const suite: PlainSuite = {
  title: 'CPU of a request beside the same SDK calls alone, in µs (medians)',
  run: () => onGround(compareAll),
}

async function compareAll(ground: Ground): Promise<Report> {
  const data = await openData(ground)
  await data.growTo(100)
  const { call } = ground.openApi(ground.endpoint)
  const direct: Api = (method, path, body) => call(ground.key, method, path, body)
  const replay = openReplay(ground.endpoint)

  const draft = {
    text: 'x'.repeat(480),
    labels: data.labels.slice(0, 2),
    accounts: data.accounts.slice(0, 2),
  }
  const plan = openPlan(ground, data)
  await plan.take(1_000)
  const drafts = await plan.makeDrafts(100, 1)
  const subjects: Subject[] = [
    { request: 'GET /posts', times: 200, call: (api) => api('GET', '/posts') },
    { request: 'GET /posts/{id}', times: 200, call: (api) => api('GET', `/posts/${data.idAt(50)}`) },
    {
      request: 'POST /posts, 2 labels, 2 accounts',
      times: 200,
      call: (api) => api('POST', '/posts', draft),
      renew: withNewPost,
    },
    {
      request: 'assign-next, 100 posts, 1,000 taken',
      times: 25,
      call: (api) => api('POST', '/plan/assign-next', { post_ids: drafts.ids }),
      before: drafts.restore,
    },
  ]
  const rows: Row[] = []
  for (const subject of subjects) rows.push(await compare(subject))
  replay.close()
  data.close()
  return { rows, missed: [] }

  /** Turn by turn, so that a busy moment of the machine falls on both. */
  async function compare({ request, times, call: ask, before, renew }: Subject): Promise<Row> {
    await before?.()
    let waves: Wave[] = []
    await ground.measure(async () => {
      waves = await ground.wire.record(() => ask(ground.own))
    })
    const taken = { handler: [] as number[], sdk: [] as number[] }
    for (let turn = -Math.ceil(times / 4); turn < times; turn++) {
      // Both read the API key, as a process does that has not seen it for half a minute.
      ground.clock.advance(31)
      await before?.()
      const handler = await cpuOf(() => ask(direct))
      await before?.()
      const sdk = await cpuOf(replay.prepare(waves, renew))
      if (turn < 0) continue
      taken.handler.push(handler)
      taken.sdk.push(sdk)
    }
    const [handler, sdk] = [median(taken.handler), median(taken.sdk)]
    const ratio = Math.round((handler / sdk) * 100) / 100
    return {
      request,
      dynamodbRequests: waves.flat().length,
      handler,
      sdk,
      ours: handler - sdk,
      ratio,
      times,
    }
  }

  /** The ID of the recorded post gives way to one that nobody has. */
  function withNewPost(body: string): string {
    const recorded = /"sk":\{"S":"(post_\w+)"/.exec(body)?.[1] as Id<'post'> | undefined
    if (!recorded) return body
    return body.replaceAll(recorded, ground.services.nextId('post', ground.owner, ground.clock.now()))
  }
}

/** In microseconds, all threads of this process together. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
