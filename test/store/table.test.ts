import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { absent, all, any, equals, lessThan, missing, present } from '#shared/aws/condition.ts'
import { openTable, type Range, type Table, type Write } from '#shared/aws/table.ts'
import { dueIndex } from '#shared/store/layout.ts'
import { createTable } from '../../infra/local/provision.ts'

const tableName = `test-${randomBytes(8).toString('hex')}`
const { dynamodb } = inject('endpoints')
const pauses: number[] = []
const options = {
  tableName,
  random: Math.random,
  pause: async (milliseconds: number) => pauses.push(milliseconds),
}
let table: Table

beforeAll(async () => {
  await createTable(dynamodb, tableName)
  table = openTable({ ...options, endpoint: dynamodb })
})

let partitions = 0
const freshPartition = () => `partition-${++partitions}`
const keyIn = (pk: string, sk = 'a') => ({ pk, sk })

describe('one conditional write', () => {
  test('happens when its condition holds', async () => {
    const key = keyIn(freshPartition())
    expect(await table.commit([{ put: { ...key, n: 1 }, when: absent }])).toEqual({ done: true })
    expect(await table.get(key)).toEqual({ ...key, n: 1 })
  })

  test('that is refused tells the item as it was found, and changes nothing', async () => {
    const key = keyIn(freshPartition())
    const item = { ...key, n: 1, list: ['a', { b: null }], set: { deep: { x: true } } }
    await table.commit([{ put: item }])
    const writes: Write[] = [
      { put: { ...key, n: 2 }, when: absent },
      { put: { ...key, n: 2 }, when: equals('n', 7) },
      { update: key, set: { n: 2 }, when: lessThan('n', 1) },
      { remove: key, when: missing('n') },
      { check: key, when: equals('n', 2) },
    ]
    for (const write of writes) expect(await table.commit([write])).toEqual({ done: false, refusals: [item] })
    expect(await table.get(key)).toEqual(item)
  })

  test('that is refused where there is no item tells an empty one', async () => {
    const key = keyIn(freshPartition())
    const writes: Write[] = [
      { put: key, when: present },
      { update: key, set: { n: 1 }, when: equals('n', 1) },
      { remove: key, when: present },
      { check: key, when: present },
    ]
    for (const write of writes) expect(await table.commit([write])).toEqual({ done: false, refusals: [{}] })
    expect(await table.get(key)).toBeUndefined()
  })
})

describe('a transaction', () => {
  test('happens whole', async () => {
    const pk = freshPartition()
    await table.commit([
      { put: { ...keyIn(pk, 'b'), n: 1 } },
      { put: { ...keyIn(pk, 'c'), n: 1 } },
      { put: { ...keyIn(pk, 'd'), n: 1 } },
    ])
    const result = await table.commit([
      { put: { ...keyIn(pk, 'a'), n: 1 }, when: absent },
      { update: keyIn(pk, 'b'), set: { name: 'b' }, add: { n: 2 }, when: equals('n', 1) },
      { remove: keyIn(pk, 'c'), when: present },
      { check: keyIn(pk, 'd'), when: all(present, any(equals('n', 0), equals('n', 1))) },
    ])
    expect(result).toEqual({ done: true })
    expect((await table.query({ pk, consistent: true })).items).toEqual([
      { pk, sk: 'a', n: 1 },
      { pk, sk: 'b', n: 3, name: 'b' },
      { pk, sk: 'd', n: 1 },
    ])
  })

  test('or not at all: each refusal stands at its write’s place, with the item as it was found', async () => {
    // Every way in which some of five writes are refused.
    for (let mask = 1; mask < 32; mask++) {
      const pk = freshPartition()
      const items = ['a', 'b', 'c', 'd', 'e'].map((sk) => ({ pk, sk, n: 1 }))
      await table.commit(items.map((put) => ({ put })))
      const want = items.map((_, index) => (mask & (1 << index) ? 2 : 1))
      const writes: Write[] = [
        { put: { ...items[0]!, n: 9 }, when: equals('n', want[0]) },
        { update: keyIn(pk, 'b'), add: { n: 1 }, when: equals('n', want[1]) },
        { remove: keyIn(pk, 'c'), when: equals('n', want[2]) },
        { check: keyIn(pk, 'd'), when: equals('n', want[3]) },
        { put: { ...items[4]!, n: 9 }, when: equals('n', want[4]) },
      ]
      expect(await table.commit(writes)).toEqual({
        done: false,
        refusals: items.map((item, index) => (want[index] === 2 ? item : undefined)),
      })
      expect((await table.query({ pk, consistent: true })).items).toEqual(items)
    }
  })

  test('tells an empty item where there was none, and nothing where no condition was set', async () => {
    const pk = freshPartition()
    const result = await table.commit([
      { put: keyIn(pk, 'a') },
      { remove: keyIn(pk, 'b'), when: present },
      { remove: keyIn(pk, 'c') },
    ])
    expect(result).toEqual({ done: false, refusals: [undefined, {}, undefined] })
    expect((await table.query({ pk })).items).toEqual([])
  })

  test('of a hundred writes is one', async () => {
    const pk = freshPartition()
    const writes = Array.from({ length: 100 }, (_, index) => ({ put: keyIn(pk, String(index)) }))
    expect(await table.commit(writes)).toEqual({ done: true })
    await expect(table.commit([...writes, { put: keyIn(pk, '100') }])).rejects.toThrow()
  })

  test('of nothing is done', async () => {
    expect(await table.commit([])).toEqual({ done: true })
  })
})

test('of many that want the same, one gets it', async () => {
  const pk = freshPartition()
  const rivals = Array.from({ length: 12 }, (_, rival) =>
    table.commit([
      { put: { ...keyIn(pk, 'prize'), rival }, when: absent },
      { put: keyIn(pk, `row-${rival}`) },
    ]),
  )
  const results = await Promise.all(rivals)
  const winner = results.findIndex(({ done }) => done)
  expect(results.filter(({ done }) => done)).toHaveLength(1)
  for (const result of results) {
    if (!result.done) expect(result.refusals).toEqual([{ pk, sk: 'prize', rival: winner }, undefined])
  }
  expect((await table.query({ pk })).items.map(({ sk }) => sk)).toEqual(['prize', `row-${winner}`])
})

describe('an update', () => {
  test('answers the item as it is now', async () => {
    const key = keyIn(freshPartition())
    expect(await table.update(key, { set: { name: 'x', 'with space': 1 }, add: { n: 2 } })).toEqual({
      ...key,
      name: 'x',
      'with space': 1,
      n: 2,
    })
    expect(await table.update(key, { set: { map: { a: 1, b: 2 } }, unset: ['name'], when: present })).toEqual(
      {
        ...key,
        'with space': 1,
        n: 2,
        map: { a: 1, b: 2 },
      },
    )
    expect(await table.update(key, { set: { 'map.a': 3 }, unset: ['map.b', 'with space'] })).toEqual({
      ...key,
      n: 2,
      map: { a: 3 },
    })
  })

  test('that is refused answers nothing, and changes nothing', async () => {
    const key = keyIn(freshPartition())
    expect(await table.update(key, { set: { n: 1 }, when: present })).toBeUndefined()
    expect(await table.get(key)).toBeUndefined()
    await table.commit([{ put: { ...key, n: 1 } }])
    expect(await table.update(key, { set: { n: 2 }, when: equals('n', 2) })).toBeUndefined()
    expect(await table.get(key)).toEqual({ ...key, n: 1 })
  })

  test('names of the language are names like others', async () => {
    const key = keyIn(freshPartition())
    const words = { set: 1, add: 2, status: 'x', name: 'y', size: 3, ':v0': 4, '#n0': 5 }
    expect(await table.update(key, { set: words })).toEqual({ ...key, ...words })
  })
})

test('fields that are undefined are left out, null stays', async () => {
  const key = keyIn(freshPartition())
  await table.commit([
    { put: { ...key, none: undefined, nothing: null, deep: { none: undefined, list: [null] } } },
  ])
  expect(await table.get(key)).toEqual({ ...key, nothing: null, deep: { list: [null] } })
})

test('up to a hundred items come at once, those that are not there left out', async () => {
  const pk = freshPartition()
  const keys = Array.from({ length: 100 }, (_, index) => keyIn(pk, String(index)))
  await table.commit(
    keys.filter((_, index) => index % 3 === 0).map((key) => ({ put: { ...key, text: 'x'.repeat(9) } })),
  )
  const found = await table.getMany(keys)
  expect(found.map(({ sk }) => Number(sk)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 34 }, (_, index) => index * 3),
  )
  expect(found[0]).toMatchObject({ pk, text: 'xxxxxxxxx' })
  expect(await table.getMany([])).toEqual([])
})

const bytes = (text: string) => Buffer.from(text)
// In one case, and no prefix with NUL: of these the emulator's begins_with knows less than DynamoDB's.
const sortKeys = fc
  .oneof(
    fc.constantFrom('a', 'aa', 'ab', 'b', 'a\0', 'a#', 'é', '\uFFFD', '\u{1F44D}', 'post_1', 'post_2'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).filter((text) => text.isWellFormed()),
  )
  .map((text) => text.toLowerCase())
/** DynamoDB takes one condition on the sort key. */
const bounds: fc.Arbitrary<Partial<Range>> = fc.oneof(
  fc.constant({}),
  sortKeys.filter((text) => !text.includes('\0')).map((beginsWith) => ({ beginsWith })),
  sortKeys.map((after) => ({ after })),
  sortKeys.map((before) => ({ before })),
  sortKeys.map((upTo) => ({ upTo })),
)

test('a query answers what a search through everything would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.record({ sk: sortKeys, size: fc.nat({ max: 400 }) }), {
        maxLength: 20,
        selector: ({ sk }) => sk,
      }),
      fc.array(
        fc.record({
          bound: bounds,
          backwards: fc.boolean(),
          consistent: fc.boolean(),
          limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
          maxBytes: fc.option(fc.integer({ min: 1, max: 2_500 }), { nil: undefined }),
        }),
        { minLength: 6, maxLength: 6 },
      ),
      async (rows, questions) => {
        const pk = freshPartition()
        const items = rows.map(({ sk, size }) => ({ pk, sk, text: 'x'.repeat(size) }))
        if (items.length > 0)
          await table.commit([...items.map((put) => ({ put })), { put: keyIn(`${pk}-next`, 'a') }])
        for (const { bound, limit, maxBytes, backwards, consistent } of questions) {
          const compare = (one: string, other: string) => Buffer.compare(bytes(one), bytes(other))
          const matching = items
            .filter(({ sk }) => bound.beginsWith === undefined || sk.startsWith(bound.beginsWith))
            .filter(({ sk }) => bound.after === undefined || compare(sk, bound.after) > 0)
            .filter(({ sk }) => bound.before === undefined || compare(sk, bound.before) < 0)
            .filter(({ sk }) => bound.upTo === undefined || compare(sk, bound.upTo) <= 0)
            .sort((one, other) => compare(one.sk, other.sk))
          if (backwards) matching.reverse()
          const expected = matching.slice(0, limit)
          let read = 0
          const fits = expected.findIndex((item, index) => {
            read += Buffer.byteLength(JSON.stringify(item))
            return index > 0 && read > (maxBytes ?? Number.POSITIVE_INFINITY)
          })
          const range: Range = {
            pk,
            ...bound,
            backwards,
            consistent,
            ...(limit && { limit }),
            ...(maxBytes && { maxBytes }),
          }
          expect(await table.query(range)).toEqual({
            items: fits < 0 ? expected : expected.slice(0, fits),
            more: fits >= 0,
          })
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('a query reads on where DynamoDB stops, at a megabyte', async () => {
  const pk = freshPartition()
  const items = Array.from({ length: 9 }, (_, index) => ({
    pk,
    sk: String(index),
    text: 'x'.repeat(300_000),
  }))
  for (const put of items) await table.commit([{ put }])
  expect(await table.query({ pk })).toEqual({ items, more: false })
  expect(await table.query({ pk, limit: 7, backwards: true })).toEqual({
    items: items.slice(2).reverse(),
    more: false,
  })
  const cut = await table.query({ pk, limit: 8, maxBytes: 1_600_000 })
  expect(cut).toEqual({ items: items.slice(0, 5), more: true })
})

test('an index answers by its own sort key, and only what is in it', async () => {
  const shard = '3'
  const pk = freshPartition()
  const entry = (sk: string, wakeAt?: string) => ({ pk, sk, ...(wakeAt && { dueShard: shard, wakeAt }) })
  await table.commit(
    [entry('a', '2026-03-03'), entry('b', '2026-03-01'), entry('c'), entry('d', '2026-03-02')].map((put) => ({
      put,
    })),
  )
  const due = async (upTo: string, limit?: number) =>
    (await table.query({ index: dueIndex, pk: shard, upTo, ...(limit && { limit }) })).items.map(
      ({ sk }) => sk,
    )
  expect(await due('2026-03-02')).toEqual(['b', 'd'])
  expect(await due('2026-03-09', 2)).toEqual(['b', 'd'])
  await table.update(keyIn(pk, 'b'), { unset: ['dueShard', 'wakeAt'] })
  expect(await due('2026-03-09')).toEqual(['d', 'a'])
})

/** What stands between the table and DynamoDB does with a request: answers it itself, loses the answer, or neither. */
type Fault = { answer: object } | 'lose the answer' | undefined

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
  pauses.length = 0
})

/** The table behind a network that has these faults, one a request; then it is sound. Tells what was asked. */
async function behind(faults: Fault[]): Promise<{ table: Table; asked: string[] }> {
  const asked: string[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const target = String(request.headers['x-amz-target'])
    asked.push(target.split('.')[1] ?? '')
    const fault = faults.shift()
    if (fault && fault !== 'lose the answer') {
      const type = 'application/x-amz-json-1.0'
      const { status = 400, ...body } = fault.answer as { status?: number }
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
      return
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name !== 'host'),
    ) as Record<string, string>
    delete headers['connection']
    delete headers['content-length']
    const reply = await fetch(dynamodb, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const body = Buffer.from(await reply.arrayBuffer())
    if (fault === 'lose the answer') {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { table: openTable({ ...options, endpoint }), asked }
}

const cancelled = (...codes: string[]): Fault => ({
  answer: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'Transaction cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  },
})
const conflicting: Fault = {
  answer: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
    message: 'Transaction is ongoing for the item',
  },
}

describe('a conflict with another transaction', () => {
  const two = (pk: string): Write[] => [{ put: keyIn(pk, 'a'), when: absent }, { put: keyIn(pk, 'b') }]

  test('is over after a while: the transaction is tried again, each time after a random pause', async () => {
    const flaky = await behind([
      cancelled('TransactionConflict', 'None'),
      cancelled('None', 'TransactionConflict'),
      cancelled('TransactionConflict', 'None'),
    ])
    const pk = freshPartition()
    expect(await flaky.table.commit(two(pk))).toEqual({ done: true })
    expect(flaky.asked).toEqual(Array.from({ length: 4 }, () => 'TransactWriteItems'))
    expect(pauses).toHaveLength(3)
    expect(new Set(pauses).size).toBe(3)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(800)
    expect((await table.query({ pk })).items).toHaveLength(2)
  })

  test('meets a plain write as well', async () => {
    const flaky = await behind([conflicting, conflicting])
    const key = keyIn(freshPartition())
    expect(await flaky.table.commit([{ put: key, when: absent }])).toEqual({ done: true })
    expect(flaky.asked).toHaveLength(3)
  })

  test('and an update that stands alone', async () => {
    const flaky = await behind([conflicting])
    const key = keyIn(freshPartition())
    expect(await flaky.table.update(key, { add: { n: 1 } })).toMatchObject({ ...key, n: 1 })
  })

  test('that does not end is an error, after some seconds', async () => {
    const flaky = await behind(Array.from({ length: 50 }, () => cancelled('TransactionConflict', 'None')))
    await expect(flaky.table.commit(two(freshPartition()))).rejects.toThrow('Transaction cancelled')
    expect(flaky.asked.length).toBeGreaterThan(5)
    expect(flaky.asked.length).toBeLessThan(20)
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(8_000)
  })

  test('beside a condition that was not met is an answer, and not tried again', async () => {
    const flaky = await behind([cancelled('TransactionConflict', 'ConditionalCheckFailed', 'None')])
    expect(await flaky.table.commit([...two(freshPartition()), { put: keyIn(freshPartition()) }])).toEqual({
      done: false,
      refusals: [undefined, {}, undefined],
    })
    expect(flaky.asked).toHaveLength(1)
    expect(pauses).toEqual([])
  })

  test('is not what any other cancellation is', async () => {
    const flaky = await behind([cancelled('ValidationError', 'None')])
    await expect(flaky.table.commit(two(freshPartition()))).rejects.toThrow('Transaction cancelled')
    expect(flaky.asked).toHaveLength(1)
  })
})

describe('when the answer is lost', () => {
  test('a create that happened is done, not refused by itself', async () => {
    const flaky = await behind(['lose the answer'])
    const key = keyIn(freshPartition())
    expect(await flaky.table.commit([{ put: { ...key, n: 1, none: undefined }, when: absent }])).toEqual({
      done: true,
    })
    expect(flaky.asked).toHaveLength(2)
    expect(await table.get(key)).toEqual({ ...key, n: 1 })
  })

  test('a create that was too late is refused by the other’s item', async () => {
    const flaky = await behind(['lose the answer'])
    const key = keyIn(freshPartition())
    await table.commit([{ put: { ...key, n: 7 } }])
    expect(await flaky.table.commit([{ put: { ...key, n: 1 }, when: absent }])).toEqual({
      done: false,
      refusals: [{ ...key, n: 7 }],
    })
  })

  test('a change that happened is done', async () => {
    const key = keyIn(freshPartition())
    await table.commit([{ put: { ...key, version: 1 } }])
    const flaky = await behind(['lose the answer'])
    expect(await flaky.table.commit([{ put: { ...key, version: 2 }, when: equals('version', 1) }])).toEqual({
      done: true,
    })
  })

  test('a transaction that happened is done, and its counter counted once', async () => {
    const flaky = await behind(['lose the answer'])
    const pk = freshPartition()
    const result = await flaky.table.commit([
      { put: keyIn(pk, 'a'), when: absent },
      { update: keyIn(pk, 'count'), add: { n: 1 } },
    ])
    expect(result).toEqual({ done: true })
    expect(await table.get(keyIn(pk, 'count'))).toMatchObject({ n: 1 })
  })
})

test('what a batch read leaves over is asked for again', async () => {
  const pk = freshPartition()
  const keys = ['a', 'b', 'c'].map((sk) => keyIn(pk, sk))
  await table.commit(keys.map((put) => ({ put })))
  const typed = (key: object) =>
    Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]))
  const flaky = await behind([
    {
      answer: {
        status: 200,
        Responses: { [tableName]: [typed(keys[0]!)] },
        UnprocessedKeys: { [tableName]: { Keys: [typed(keys[1]!), typed(keys[2]!)] } },
      },
    },
  ])
  expect((await flaky.table.getMany(keys)).map(({ sk }) => sk).sort()).toEqual(['a', 'b', 'c'])
  expect(flaky.asked).toEqual(['BatchGetItem', 'BatchGetItem'])
  expect(pauses).toHaveLength(1)
})
