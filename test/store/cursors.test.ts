import { beforeAll, describe, expect, test } from 'vitest'
import type { OwnerCode } from '#shared/domain/id.ts'
import { readPageRequest } from '#shared/edge/page.ts'
import { refusalOf } from '../domain/made.ts'
import { openWorld, type World } from '../support/world.ts'
import { type ListPage, makers, newestFirst, newOwner, readList } from './made.ts'

let world: World
let owner: OwnerCode
let other: OwnerCode
let mine: string[]
let theirs: string[]
/** A cursor that the list gave. */
let genuine: string

beforeAll(async () => {
  world = await openWorld()
  owner = newOwner(world.services)
  other = newOwner(world.services)
  const fill = async (code: OwnerCode) => {
    const made = []
    for (let n = 0; n < 5; n++) {
      made.push(await makers(world.services, code).label(`Label ${n}`))
      world.clock.advance(1)
    }
    return newestFirst(made)
  }
  ;[mine, theirs] = [await fill(owner), await fill(other)]
  genuine = (await readList(labelsOf(owner), { limit: '2' }, 'labels')).next_cursor!
})

const labelsOf =
  (code: OwnerCode): ListPage =>
  (request) =>
    world.services.labels.list(code, request)

const decoded = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString())
const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
/** A cursor of ours, with something changed. */
const forged = (change: object) => encoded({ ...decoded(genuine), ...change })
const refused = (query: { limit?: string; cursor?: string }, list = 'labels') =>
  refusalOf(() => readPageRequest(query, list))
const invalid = { status: 400, message: 'Invalid cursor', fields: [] }

test('a cursor goes on where the page ended, as often as it is sent', async () => {
  for (let time = 0; time < 2; time++) {
    expect(await readList(labelsOf(owner), { limit: '2', cursor: genuine }, 'labels')).toMatchObject({
      items: mine.slice(2, 4),
      has_more: true,
    })
  }
})

test('the page size may change from page to page', async () => {
  expect(await readList(labelsOf(owner), { limit: '100', cursor: genuine }, 'labels')).toMatchObject({
    items: mine.slice(2),
    total: 5,
    has_more: false,
    next_cursor: null,
  })
})

test('a page that is just full is the last one when nothing follows', async () => {
  expect(await readList(labelsOf(owner), { limit: '5' }, 'labels')).toMatchObject({
    items: mine,
    has_more: false,
    next_cursor: null,
  })
  expect(await readList(labelsOf(owner), { limit: '4' }, 'labels')).toMatchObject({
    items: mine.slice(0, 4),
    has_more: true,
  })
})

test('a cursor can stand in a URL as it is', () => {
  expect(genuine).toMatch(/^[A-Za-z0-9_-]+$/)
})

test('a cursor of another list, or of other filters, is refused', () => {
  expect(refused({ cursor: genuine })).toBeUndefined()
  for (const list of ['posts', 'socials', 'labels?status=draft', 'Labels', ''])
    expect(refused({ cursor: genuine }, list)).toEqual(invalid)
})

describe('a cursor is refused that', () => {
  test.each([
    { what: 'is empty', cursor: () => '' },
    { what: 'is garbage', cursor: () => 'garbage' },
    { what: 'is garbage in base64url', cursor: () => encoded('garbage') },
    { what: 'is padded', cursor: () => `${genuine}=` },
    { what: 'is padded twice', cursor: () => `${genuine}==` },
    { what: 'has a blank behind it', cursor: () => `${genuine} ` },
    { what: 'has a blank in it', cursor: () => `${genuine.slice(0, 4)} ${genuine.slice(4)}` },
    { what: 'has a line break behind it', cursor: () => `${genuine}\n` },
    { what: 'has something behind it', cursor: () => `${genuine}A` },
    { what: 'is cut', cursor: () => genuine.slice(0, -3) },
    {
      what: 'is in plain base64',
      cursor: () => Buffer.from('{"v":1,"p":"??>>","f":"~~~"}').toString('base64'),
    },
    { what: 'is JSON itself', cursor: () => JSON.stringify(decoded(genuine)) },
    { what: 'is encoded twice', cursor: () => encoded(genuine) },
    { what: 'is a number', cursor: () => encoded('1') },
    { what: 'is null', cursor: () => encoded('null') },
    { what: 'is a list', cursor: () => encoded([1, 'p', 'f']) },
    { what: 'is a position alone', cursor: () => mine[1]! },
    { what: 'has no position', cursor: () => forged({ p: undefined }) },
    { what: 'has an empty position', cursor: () => forged({ p: '' }) },
    { what: 'has a position that is no text', cursor: () => forged({ p: 7 }) },
    { what: 'has a position that is an object', cursor: () => forged({ p: { S: 'x' } }) },
    { what: 'has a position longer than any key', cursor: () => forged({ p: 'x'.repeat(1_025) }) },
    { what: 'has another version', cursor: () => forged({ v: 2 }) },
    { what: 'has a version that is no number', cursor: () => forged({ v: '1' }) },
    { what: 'names another list', cursor: () => forged({ f: 'AAAAAAAAAAAA' }) },
    { what: 'names a partition', cursor: () => forged({ pk: `${other}#LABEL` }) },
    { what: 'is no UTF-8', cursor: () => Buffer.from([0x7b, 0xff, 0xfe]).toString('base64url') },
    { what: 'is very long', cursor: () => 'A'.repeat(100_000) },
  ])('$what', ({ cursor }) => {
    expect(refused({ cursor: cursor() })).toEqual(invalid)
  })
})

describe('a forged position stays inside the caller’s own list', () => {
  test.each([
    { what: 'another owner’s item', position: () => theirs[2]! },
    { what: 'another owner’s partition', position: () => `${other}#LABEL` },
    { what: 'an item that never was', position: () => 'lbl_ZZZZZZZZZZZZ' },
    { what: 'the end of all keys', position: () => '\u{10FFFF}'.repeat(255) },
    { what: 'the start of all keys', position: () => '\0' },
    { what: 'a key with NUL in it', position: () => `lbl_${owner}\0` },
    { what: 'an expression', position: () => ':v0 OR pk = :v1' },
    { what: 'the longest key there is', position: () => 'l'.repeat(1_024) },
  ])('$what', async ({ position }) => {
    const cursor = forged({ p: position() })
    const { items, total } = await readList(labelsOf(owner), { limit: '100', cursor }, 'labels')
    expect(items).toEqual(mine.filter((id) => Buffer.compare(Buffer.from(id), Buffer.from(position())) < 0))
    expect(total).toBe(5)
  })

  test('another owner’s cursor moves only the position', async () => {
    const cursor = (await readList(labelsOf(other), { limit: '2' }, 'labels')).next_cursor!
    const { items } = await readList(labelsOf(owner), { limit: '100', cursor }, 'labels')
    expect(items.every((id) => mine.includes(id))).toBe(true)
    expect(items.some((id) => theirs.includes(id))).toBe(false)
  })
})

describe('the page size', () => {
  test.each([
    { limit: undefined, served: 20 },
    { limit: '1', served: 1 },
    { limit: '20', served: 20 },
    { limit: '100', served: 100 },
    { limit: '101', served: 100 },
    { limit: '999999999999999', served: 100 },
  ])('$limit is served as $served', ({ limit, served }) => {
    expect(readPageRequest({ limit }, 'labels').limit).toBe(served)
  })

  test.each([
    '0',
    '00',
    '-1',
    '+1',
    '1.5',
    '1.0',
    '1e2',
    '0x10',
    ' 5',
    '5 ',
    '',
    'abc',
    'NaN',
    'Infinity',
    'null',
    '٣',
    '５',
    '5,6',
    '1_000',
  ])('%j is refused', (limit) => {
    expect(refused({ limit })).toEqual({ status: 400, message: 'Invalid limit parameter', fields: [] })
  })
})
