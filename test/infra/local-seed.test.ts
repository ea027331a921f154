import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { serveHttp } from '../../infra/local/http-server.ts'
import { findDemo, seedDemo } from '../../infra/local/seed.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthaste-seed-'))
  return () => rm(folder, { recursive: true, force: true })
})

/** An API that keeps what is posted to it, by path; it does so but answers 500 to the POST of that number. */
async function openApi(failsAt?: number) {
  const kept: Record<string, Record<string, unknown>[]> = {}
  let posts = 0
  const answer = async (event: object) => {
    const { requestContext, rawPath, body = '' } = event as APIGatewayProxyEventV2
    const items = (kept[rawPath] ??= [])
    if (requestContext.http.method === 'GET') return { data: { items } }
    const id = randomUUID()
    items.push({ id, ...JSON.parse(body) })
    if (++posts === failsAt) return { statusCode: 500, body: '{"message":"killed"}' }
    return { data: { ...items.at(-1), ...(rawPath.endsWith('/keys') && { key: `ph_${id}` }) } }
  }
  const server = await serveHttp(0, { routes: [], functionUrls: [], unmatched: answer })
  onTestFinished(() => server.stop())
  const seed = () => seedDemo({ baseUrl: `http://127.0.0.1:${server.port}`, operatorKey: 'op', folder })
  const counts = () =>
    Object.fromEntries(Object.entries(kept).map(([path, items]) => [path.split('/').at(-1), items.length]))
  return { seed, counts }
}

test('the demo workspace has a key, two accounts and a label, and is found again', async () => {
  const { seed, counts } = await openApi()
  expect(await findDemo(folder)).toBeUndefined()
  const demo = await seed()
  expect(demo.accountIds).toHaveLength(2)
  expect(await findDemo(folder)).toEqual(demo)
  expect(counts()).toEqual({ owners: 1, keys: 1, socials: 2, labels: 1 })
})

test.each([
  { step: 'the owner', failsAt: 1, keys: 1 },
  { step: 'the key, whose text is lost then', failsAt: 2, keys: 2 },
  { step: 'the first account', failsAt: 3, keys: 1 },
  { step: 'the second account', failsAt: 4, keys: 1 },
  { step: 'the label', failsAt: 5, keys: 1 },
])(
  'a start that was cut off after it had made $step goes on with what it had made',
  async ({ failsAt, keys }) => {
    const { seed, counts } = await openApi(failsAt)
    await expect(seed()).rejects.toThrow('500')
    expect(await findDemo(folder)).toBeUndefined()
    const demo = await seed()
    expect(await findDemo(folder)).toEqual(demo)
    expect(counts()).toEqual({ owners: 1, keys, socials: 2, labels: 1 })
  },
)
