import type { Context } from 'aws-lambda'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeId, type OwnerCode } from '#shared/domain/id.ts'
import { plusSeconds } from '#shared/domain/instant.ts'
import { planPartition } from '#shared/store/layout.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { routes as plan } from '../../functions/plan/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { handler as unmatched } from '../../functions/service/on-unmatched.ts'
import { at } from '../domain/made.ts'
import { httpEvent } from '../support/event.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld
let other: OwnerInWorld

/** A Sunday. */
const start = '2026-03-01T12:00:00Z'

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels, ...plan, ...posts], now: start })
  owner = await makeOwner(world)
  other = await makeOwner(world)
})

const weekly = { interval: 'weekly', repeat_every: 1 }
const mondays = { week_day: 1, start_time: '09:00', end_time: '10:00', recurrence: weekly }
/** Nothing moves the clock of this file by more than seconds; who needs another time has a world of its own. */
const nextMonday = '2026-03-02T09:00:00.000Z'
const mondayAfter = '2026-03-09T09:00:00.000Z'

async function makeSlot(by: OwnerInWorld, fields: Record<string, unknown> = {}) {
  const { status, body } = await by.call('POST', '/plan/slots', { ...mondays, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

const patchSlot = (id: string, fields: unknown, by = owner) => by.call('PATCH', `/plan/slots/${id}`, fields)
const refused = (message: string, status = 400) => ({ status, body: { success: false, message } })

async function makeDraft(by: OwnerInWorld, fields: Record<string, unknown> = {}): Promise<string> {
  const accounts = fields['accounts'] ?? [await by.addSocial()]
  const { status, body } = await by.call('POST', '/posts', { text: 'Hello', ...fields, accounts })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}

const assign = (by: OwnerInWorld, ...post_ids: string[]) => by.call('POST', '/plan/assign-next', { post_ids })

/** Assigns one post, which must succeed; answers it. */
async function assigned(by: OwnerInWorld, id: string) {
  const { body } = await assign(by, id)
  expect(body.data.items).toMatchObject([{ post_id: id, success: true, message: null }])
  return body.data.items[0].data
}

const read = async (by: OwnerInWorld, id: string) => (await by.call('GET', `/posts/${id}`)).body.data

/** An owner with exact times and one slot on Mondays. */
async function makePlanner(settings: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  const planner = await makeOwner(world, { exact_slot_times: true, ...settings })
  return { planner, slot: await makeSlot(planner, fields) }
}

const codeOf = (id: string) => id.split('_')[1]!.slice(0, 10) as OwnerCode
/** The rows of taken occurrences, by local date. */
const holdings = async (by: OwnerInWorld, { table } = world) =>
  (await table.query({ pk: planPartition(codeOf(by.id)), before: 'OWNER' })).items

describe('a slot', () => {
  test('is created with every field in the answer, and read again', async () => {
    const { status, body } = await owner.call('POST', '/plan/slots', { ...mondays, timezone: 'Europe/Paris' })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^slot_[0-9A-HJKMNP-TV-Z]{36}$/),
        ...mondays,
        timezone: 'Europe/Paris',
        label_ids: [],
        is_active: true,
        utc_week_day: 1,
        utc_start_time: '08:00',
        utc_end_time: '09:00',
        next_occurrence: { start: '2026-03-02T08:00:00.000Z', end: '2026-03-02T09:00:00.000Z' },
        created_at: world.clock.now(),
        updated_at: world.clock.now(),
      },
    })
    const reply = await owner.call('GET', `/plan/slots/${body.data.id}`)
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.body).toEqual(body)
  })

  test('takes labels as IDs and as objects, and is inactive where it says so', async () => {
    const [one, two] = [await owner.addLabel(), await owner.addLabel()]
    const slot = await makeSlot(owner, { label_ids: [one, { id: two }], is_active: false, unknown: 'field' })
    expect(slot).toMatchObject({ label_ids: [one, two], is_active: false })
    expect(slot.next_occurrence).toEqual({ start: nextMonday, end: '2026-03-02T10:00:00.000Z' })
    expect(Object.keys(slot)).not.toContain('unknown')
  })

  test.each([
    { settings: {}, sent: undefined, timezone: 'UTC' },
    { settings: { timezone: 'Asia/Tokyo' }, sent: undefined, timezone: 'Asia/Tokyo' },
    { settings: { timezone: 'Asia/Tokyo' }, sent: 'America/New_York', timezone: 'America/New_York' },
  ])(
    'is in the zone that is sent, or its owner’s, or UTC: $timezone',
    async ({ settings, sent, timezone }) => {
      const planner = await makeOwner(world, settings)
      expect(await makeSlot(planner, sent ? { timezone: sent } : {})).toMatchObject({ timezone })
    },
  )

  test('keeps its zone when the owner’s settings change', async () => {
    const planner = await makeOwner(world, { timezone: 'Asia/Tokyo' })
    const { id } = await makeSlot(planner)
    await world.operator('PATCH', `/admin/owners/${planner.id}`, { settings: { timezone: 'Europe/Paris' } })
    expect((await planner.call('GET', `/plan/slots/${id}`)).body.data.timezone).toBe('Asia/Tokyo')
    expect((await patchSlot(id, { start_time: '08:00' }, planner)).body.data.timezone).toBe('Asia/Tokyo')
  })

  test('has no next occurrence where the calendar ends before it', async () => {
    const yesterday = {
      week_day: 0,
      start_time: '00:00',
      recurrence: { interval: 'weekly', repeat_every: 1e9 },
    }
    expect(await makeSlot(owner, yesterday)).toMatchObject({
      next_occurrence: null,
      utc_week_day: 0,
      utc_start_time: '00:00',
    })
  })

  test('is deleted once, and answered as it was', async () => {
    const slot = await makeSlot(owner)
    const reply = await owner.call('DELETE', `/plan/slots/${slot.id}`)
    expect(reply).toMatchObject({ status: 200, body: { success: true } })
    expect(reply.body.data).toEqual(slot)
    for (const method of ['DELETE', 'GET']) {
      expect(await owner.call(method, `/plan/slots/${slot.id}`)).toMatchObject(refused('Slot not found', 404))
    }
    expect(await patchSlot(slot.id, { is_active: false })).toMatchObject(refused('Slot not found', 404))
  })

  test('of somebody else may neither be read, changed nor deleted', async () => {
    const { id } = await makeSlot(other)
    for (const [method, body] of [['GET'], ['PATCH', { is_active: false }], ['DELETE']] as const) {
      expect(await owner.call(method, `/plan/slots/${id}`, body)).toMatchObject(refused('Access denied', 403))
    }
    expect((await other.call('GET', `/plan/slots/${id}`)).body.data.is_active).toBe(true)
    await other.call('DELETE', `/plan/slots/${id}`)
    expect(await owner.call('GET', `/plan/slots/${id}`)).toMatchObject(refused('Slot not found', 404))
  })

  test.each(['GET', 'PATCH', 'DELETE'])('without an ID in the path is refused: %s', async (method) => {
    const event = httpEvent([], { method, path: '/plan/slots/', key: owner.key })
    const { statusCode, body } = await unmatched(event, {} as Context)
    expect({ status: statusCode, body: JSON.parse(body ?? '') }).toMatchObject(refused('Missing slot ID'))
  })
})

describe('the list of slots', () => {
  test('is newest first, in pages, with an exact total', async () => {
    const planner = await makeOwner(world)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      ids.unshift((await makeSlot(planner)).id)
      world.clock.advance(1)
    }
    await planner.call('DELETE', `/plan/slots/${ids[1]}`)
    const kept = ids.toSpliced(1, 1)
    const first = (await planner.call('GET', '/plan/slots?limit=3')).body.data
    expect(first).toMatchObject({ total: 4, has_more: true, next_cursor: expect.any(String) })
    const second = (await planner.call('GET', `/plan/slots?limit=3&cursor=${first.next_cursor}`)).body.data
    expect(second).toMatchObject({ total: 4, has_more: false, next_cursor: null })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(kept)
    expect(first.items[0]).toEqual((await planner.call('GET', `/plan/slots/${kept[0]}`)).body.data)
  })

  test('is empty for who has none', async () => {
    const { body } = await (await makeOwner(world)).call('GET', '/plan/slots')
    expect(body.data).toEqual({ items: [], total: 0, has_more: false, next_cursor: null })
  })

  test.each([
    { query: 'limit=0', message: 'Invalid limit parameter' },
    { query: 'limit=-1', message: 'Invalid limit parameter' },
    { query: 'limit=1.5', message: 'Invalid limit parameter' },
    { query: 'limit=many', message: 'Invalid limit parameter' },
    { query: 'limit=', message: 'Invalid limit parameter' },
    { query: 'cursor=nonsense', message: 'Invalid cursor' },
    { query: 'cursor=', message: 'Invalid cursor' },
  ])('refuses $query: $message', async ({ query, message }) => {
    expect(await owner.call('GET', `/plan/slots?${query}`)).toMatchObject(refused(message))
  })
})

const labelIds = 'label_ids must be an array of unique label IDs'
const interval = 'recurrence.interval must be one of: daily, weekly, monthly'
const repeatEvery = 'recurrence.repeat_every must be an integer greater than or equal to 1'
const endTime = 'end_time must be later than start_time on the same day'

/** What POST and PATCH refuse alike. */
const malformed: { fields: Record<string, unknown>; field: string; message: string }[] = [
  ...[-1, 7, 7.5, -0.5, 1.5, '1', null, true, [1]].map((value) => ({
    fields: { week_day: value },
    field: 'week_day',
    message: 'week_day must be an integer between 0 and 6',
  })),
  ...['start_time', 'end_time'].flatMap((field) =>
    ['9:00', '24:00', '09:60', '09:00:00', '0900', '09:00\n', ' 09:00', '', 900, null].map((value) => ({
      fields: { [field]: value },
      field,
      message: `${field} must be in HH:MM 24-hour format`,
    })),
  ),
  { fields: { end_time: '09:00' }, field: 'end_time', message: endTime },
  { fields: { end_time: '08:59' }, field: 'end_time', message: endTime },
  { fields: { start_time: '10:00' }, field: 'end_time', message: endTime },
  { fields: { start_time: '23:00', end_time: '01:00' }, field: 'end_time', message: endTime },
  ...['Mars/Olympus', '', '+01:00', 'local', 7, null, 'Europe/Paris ', 'PST', 'IST'].map((value) => ({
    fields: { timezone: value },
    field: 'timezone',
    message: 'timezone must be a valid IANA timezone',
  })),
  ...[
    {},
    [],
    'weekly',
    null,
    7,
    { repeat_every: 1 },
    { interval: 'yearly', repeat_every: 1 },
    { interval: 'Weekly', repeat_every: 1 },
  ].map((value) => ({ fields: { recurrence: value }, field: 'recurrence', message: interval })),
  ...[undefined, 0, -1, 0.5, 1.5, '1', null, 2 ** 60].map((value) => ({
    fields: { recurrence: { interval: 'weekly', repeat_every: value } },
    field: 'recurrence.repeat_every',
    message: repeatEvery,
  })),
  ...[
    'lbl',
    {},
    null,
    7,
    [7],
    [''],
    [null],
    [{ id: 7 }],
    [{ id: '' }],
    [['a']],
    ['a', 'a'],
    ['a', { id: 'a' }],
  ].map((value) => ({
    fields: { label_ids: value },
    field: 'label_ids',
    message: labelIds,
  })),
  {
    fields: { label_ids: Array.from({ length: 101 }, (_, n) => `lbl_${n}`) },
    field: 'label_ids',
    message: 'label_ids must have at most 100 items',
  },
  { fields: { label_ids: ['lbl_nothing'] }, field: 'labels', message: 'One or more labels were not found' },
  ...['yes', 1, null].map((value) => ({
    fields: { is_active: value },
    field: 'is_active',
    message: 'is_active must be true or false',
  })),
]

describe('what is refused', () => {
  let slot: { id: string }
  let mine: string
  let theirs: string
  beforeAll(async () => {
    mine = await owner.addLabel()
    theirs = await other.addLabel()
    slot = await makeSlot(owner, { label_ids: [mine] })
  })

  const named = malformed.map((row) => ({ ...row, sent: JSON.stringify(row.fields).slice(0, 60) }))
  test.each(named)('$sent: $message', async ({ fields, field, message }) => {
    const before = (await owner.call('GET', `/plan/slots/${slot.id}`)).body.data
    const { total } = (await owner.call('GET', '/plan/slots')).body.data
    const replies = [
      await owner.call('POST', '/plan/slots', { ...mondays, ...fields }),
      await patchSlot(slot.id, fields),
    ]
    for (const { status, body } of replies) {
      expect({ status, ...body }).toMatchObject({ status: 400, success: false, message })
      expect(body.errors[0]).toEqual({ field: expect.stringContaining(field), message })
      const fieldsNamed = body.errors.map((error: { field: string }) => error.field)
      expect(fieldsNamed, 'each field once').toEqual([...new Set(fieldsNamed)])
    }
    expect((await owner.call('GET', `/plan/slots/${slot.id}`)).body.data).toEqual(before)
    expect((await owner.call('GET', '/plan/slots')).body.data.total).toBe(total)
  })

  test.each(['week_day', 'start_time', 'end_time', 'recurrence'])('a slot without %s', async (field) => {
    const { [field]: _, ...fields } = mondays as Record<string, unknown>
    const message = `${field} is required`
    expect(await owner.call('POST', '/plan/slots', fields)).toMatchObject({
      status: 400,
      body: { success: false, message, errors: [{ field, message }] },
    })
  })

  test('a slot without anything: every field is named, in the order of the contract', async () => {
    const { status, body } = await owner.call('POST', '/plan/slots', {})
    expect({ status, message: body.message }).toEqual({ status: 400, message: 'week_day is required' })
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'week_day is required',
      'start_time is required',
      'end_time is required',
      'recurrence is required',
    ])
  })

  test('a label of somebody else', async () => {
    const fields = { label_ids: [mine, theirs] }
    for (const reply of [
      await owner.call('POST', '/plan/slots', { ...mondays, ...fields }),
      await patchSlot(slot.id, fields),
    ]) {
      expect(reply).toMatchObject(refused('Access denied', 403))
    }
  })

  test('a label that is gone, before one of somebody else', async () => {
    const gone = await owner.addLabel()
    await owner.call('DELETE', `/labels/${gone}`)
    for (const label_ids of [[gone], [theirs, gone]]) {
      const message = 'One or more labels were not found'
      expect(await owner.call('POST', '/plan/slots', { ...mondays, label_ids })).toMatchObject(
        refused(message),
      )
      expect(await patchSlot(slot.id, { label_ids })).toMatchObject(refused(message))
    }
  })

  test('an end before the start, before labels are looked at', async () => {
    const fields = { end_time: '08:00', label_ids: ['lbl_nothing'] }
    expect(await owner.call('POST', '/plan/slots', { ...mondays, ...fields })).toMatchObject(refused(endTime))
    expect(await patchSlot(slot.id, fields)).toMatchObject(refused(endTime))
  })

  test('a slot that is not there, before its labels', async () => {
    const missing = makeId('slot', { owner: codeOf(owner.id), now: at(start), random: new Uint8Array(16) })
    for (const id of [missing, 'nothing', mine]) {
      expect(await patchSlot(id, { label_ids: ['lbl_nothing'] })).toMatchObject(
        refused('Slot not found', 404),
      )
    }
  })

  test.each([{}, { id: 'x' }, { utc_week_day: 3, next_occurrence: null }])(
    'a change of nothing: %j',
    async (body) => {
      expect(await patchSlot(slot.id, body)).toMatchObject(refused('No valid fields provided for update'))
    },
  )

  test('as many labels as there may be are taken', async () => {
    const label_ids = await Promise.all(Array.from({ length: 100 }, () => owner.addLabel()))
    expect(await makeSlot(owner, { label_ids })).toMatchObject({ label_ids })
  })
})

describe('a change of a slot', () => {
  test('changes what is sent, and replaces labels and recurrence whole', async () => {
    const [one, two] = [await owner.addLabel(), await owner.addLabel()]
    const slot = await makeSlot(owner, { label_ids: [one], timezone: 'Europe/Paris' })
    world.clock.advance(1)
    const recurrence = { interval: 'daily', repeat_every: 2 }
    const changed = await patchSlot(slot.id, { label_ids: [two], recurrence, is_active: false })
    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body.data).toEqual({
      ...slot,
      label_ids: [two],
      recurrence,
      is_active: false,
      updated_at: world.clock.now(),
    })
    expect((await owner.call('GET', `/plan/slots/${slot.id}`)).body).toEqual(changed.body)
  })

  test('of one time is checked against the other as it is stored', async () => {
    const { id } = await makeSlot(owner)
    expect(await patchSlot(id, { start_time: '11:00' })).toMatchObject(refused(endTime))
    expect(await patchSlot(id, { start_time: '11:00', end_time: '12:00' })).toMatchObject({ status: 200 })
    expect(await patchSlot(id, { end_time: '10:00' })).toMatchObject(refused(endTime))
    expect(await patchSlot(id, { start_time: '09:30' })).toMatchObject({ status: 200 })
    expect(await patchSlot(id, { end_time: '10:00' })).toMatchObject({
      status: 200,
      body: {
        data: { start_time: '09:30', end_time: '10:00', utc_start_time: '09:30', utc_end_time: '10:00' },
      },
    })
  })

  test('of the time zone alone keeps the local times and derives the UTC values anew', async () => {
    const slot = await makeSlot(owner)
    const changed = await patchSlot(slot.id, { timezone: 'Asia/Kathmandu' })
    expect(changed.body.data).toEqual({
      ...slot,
      timezone: 'Asia/Kathmandu',
      utc_start_time: '03:15',
      utc_end_time: '04:15',
      next_occurrence: { start: '2026-03-02T03:15:00.000Z', end: '2026-03-02T04:15:00.000Z' },
      updated_at: expect.any(String),
    })
  })

  test('across midnight in UTC moves the UTC weekday', async () => {
    const { id } = await makeSlot(owner)
    expect((await patchSlot(id, { timezone: 'Pacific/Kiritimati' })).body.data).toMatchObject({
      week_day: 1,
      utc_week_day: 0,
      utc_start_time: '19:00',
    })
  })

  test('a fetched slot sent back changes nothing', async () => {
    const slot = await makeSlot(owner, { label_ids: [await owner.addLabel()], timezone: 'Europe/Paris' })
    const reply = await patchSlot(slot.id, slot)
    expect(reply.body.data).toEqual({ ...slot, updated_at: expect.any(String) })
  })

  test('a fetched slot may be sent back though its label is being removed', async () => {
    const label = await owner.addLabel()
    const slot = await makeSlot(owner, { label_ids: [label] })
    await owner.call('DELETE', `/labels/${label}`)
    expect(await patchSlot(slot.id, { ...slot, is_active: false })).toMatchObject({ status: 200 })
  })

  test('ten at once: each keeps what the others changed', async () => {
    const slot = await makeSlot(owner)
    const changes = [
      { start_time: '08:00' },
      { end_time: '11:00' },
      { is_active: false },
      { week_day: 2 },
      { timezone: 'Asia/Tokyo' },
    ]
    const replies = await Promise.all(changes.map((fields) => patchSlot(slot.id, fields)))
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect((await owner.call('GET', `/plan/slots/${slot.id}`)).body.data).toMatchObject(
      Object.assign({}, ...changes),
    )
  })
})

describe('the day from which a slot counts', () => {
  /** Every other Monday from 2 March on, looked at on Wednesday, 4 March. */
  async function everyOther(change: Record<string, unknown>) {
    const later = await openWorld({ routes: [...admin, ...plan], now: start })
    const planner = await makeOwner(later)
    const slot = await makeSlot(planner, { recurrence: { interval: 'weekly', repeat_every: 2 } })
    later.clock.advance(3 * 86_400)
    const { body } = await patchSlot(slot.id, change, planner)
    return body.data.next_occurrence.start
  }

  test.each([
    { change: { is_active: false }, next: '2026-03-16T09:00:00.000Z' },
    { change: { start_time: '08:00' }, next: '2026-03-16T08:00:00.000Z' },
    // The same values again are no change.
    {
      change: { week_day: 1, timezone: 'UTC', recurrence: { interval: 'weekly', repeat_every: 2 } },
      next: '2026-03-16T09:00:00.000Z',
    },
    { change: { recurrence: { interval: 'weekly', repeat_every: 3 } }, next: '2026-03-09T09:00:00.000Z' },
    { change: { recurrence: { interval: 'monthly', repeat_every: 2 } }, next: '2026-03-09T09:00:00.000Z' },
    { change: { week_day: 3 }, next: '2026-03-18T09:00:00.000Z' },
    { change: { week_day: 3, start_time: '13:00', end_time: '14:00' }, next: '2026-03-04T13:00:00.000Z' },
    { change: { timezone: 'Europe/Paris' }, next: '2026-03-09T08:00:00.000Z' },
  ])('after $change: next at $next', async ({ change, next }) => {
    expect(await everyOther(change)).toBe(next)
  })

  test('the UTC values are those of the first occurrence after the write, and stay', async () => {
    const later = await openWorld({ routes: [...admin, ...plan], now: '2026-03-26T12:00:00Z' })
    const planner = await makeOwner(later, { timezone: 'Europe/Paris' })
    const slot = await makeSlot(planner, { week_day: 5 })
    expect(slot).toMatchObject({ utc_start_time: '08:00', utc_end_time: '09:00' })
    later.clock.advance(7 * 86_400)
    const now = (await planner.call('GET', `/plan/slots/${slot.id}`)).body.data
    expect(now).toMatchObject({
      utc_start_time: '08:00',
      next_occurrence: { start: '2026-04-03T07:00:00.000Z' },
    })
    expect((await patchSlot(slot.id, { is_active: true }, planner)).body.data).toMatchObject({
      utc_start_time: '07:00',
      utc_end_time: '08:00',
    })
  })
})

describe('assign-next: requests that are not well formed', () => {
  test.each([
    { body: [], message: 'Request body must be a JSON object' },
    { body: null, message: 'Request body must be a JSON object' },
    { body: 'text', message: 'Request body must be a JSON object' },
    { body: {}, message: 'post_ids is required' },
    { body: { post_ids: null }, message: 'post_ids must be an array' },
    { body: { post_ids: 'post_1' }, message: 'post_ids must be an array' },
    { body: { post_ids: {} }, message: 'post_ids must be an array' },
    { body: { post_ids: [] }, message: 'post_ids must not be empty' },
    { body: { post_ids: [7] }, message: 'Each post ID must be a string' },
    { body: { post_ids: ['a', null] }, message: 'Each post ID must be a string' },
    { body: { post_ids: [['a']] }, message: 'Each post ID must be a string' },
    { body: { post_ids: ['a', 'b', 'a'] }, message: 'Duplicate post ID "a"' },
    { body: { post_ids: ['a', { id: 'b' }] }, message: 'Each post ID must be a string' },
    { body: { post_ids: ['a', 'a', 7] }, message: 'Each post ID must be a string' },
    {
      body: { post_ids: Array.from({ length: 101 }, (_, n) => `p${n}`) },
      message: 'post_ids must have at most 100 items',
    },
  ])('$message', async ({ body, message }) => {
    expect(await owner.call('POST', '/plan/assign-next', body)).toMatchObject(refused(message))
  })

  test('a body full of IDs is refused quickly', async () => {
    const post_ids = Array.from({ length: 100_000 }, (_, n) => String(n))
    const started = performance.now()
    expect(await owner.call('POST', '/plan/assign-next', { post_ids })).toMatchObject(
      refused('post_ids must have at most 100 items'),
    )
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})

describe('assign-next', () => {
  test('answers each post in the order of the request: who has a place, and why the others have none', async () => {
    const { planner, slot } = await makePlanner()
    const label = await planner.addLabel()
    const bluesky = await planner.addSocial({ provider_type: 'bluesky' })
    const scheduledAt = { status: 'scheduled', scheduled_at: plusSeconds(world.clock.now(), 7_200) }
    const deleted = await makeDraft(planner)
    await planner.call('DELETE', `/posts/${deleted}`)
    const published = await makeDraft(planner, {
      ...scheduledAt,
      scheduled_at: plusSeconds(world.clock.now(), 1),
    })
    await world.pass(3)
    expect((await read(planner, published)).status).toBe('published')
    const good = [await makeDraft(planner), await makeDraft(planner)]
    const table = [
      { id: 'nothing', message: 'Post not found' },
      { id: await makeDraft(planner, scheduledAt), message: 'Post is already scheduled' },
      { id: good[1]!, message: null },
      { id: deleted, message: 'Post not found' },
      { id: slot.id, message: 'Post not found' },
      { id: await makeDraft(other), message: 'Access denied' },
      { id: published, message: 'Only draft posts can be assigned' },
      {
        id: await makeDraft(planner, { accounts: [] }),
        message: 'Post must have at least one social account',
      },
      { id: good[0]!, message: null },
      {
        id: await makeDraft(planner, { accounts: [bluesky], text: 'x'.repeat(301) }),
        message: `accounts[${bluesky}]: bluesky allows at most 300 characters`,
      },
      { id: await makeDraft(planner, { labels: [label] }), message: 'No available slot' },
    ]
    const before = await Promise.all(table.map(({ id }) => read(planner, id)))
    const { status, body } = await assign(planner, ...table.map(({ id }) => id))
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.data.items).toEqual(
      table.map(({ id, message }) => ({
        post_id: id,
        success: message === null,
        data:
          message === null ? expect.objectContaining({ id, status: 'scheduled', slot_id: slot.id }) : null,
        message,
      })),
    )
    const at = (id: string) => body.data.items.find((item: any) => item.post_id === id).data.scheduled_at
    expect([at(good[1]!), at(good[0]!)]).toEqual([nextMonday, mondayAfter])
    for (const [index, { id, message }] of table.entries()) {
      const now = await read(planner, id)
      if (message) expect(now).toEqual(before[index])
      else expect(now).toEqual(body.data.items[index].data)
    }
  })

  test('a post that waits for approval is already scheduled', async () => {
    const { planner } = await makePlanner({ requires_approval: true })
    const id = await makeDraft(planner)
    await assigned(planner, id)
    expect((await assign(planner, id)).body.data.items).toMatchObject([
      { message: 'Post is already scheduled' },
    ])
  })

  test('a failed post is no draft', async () => {
    const { planner } = await makePlanner()
    const accounts = [await planner.addSocial({ sandbox_behavior: 'fail' })]
    const scheduled_at = plusSeconds(world.clock.now(), 1)
    const id = await makeDraft(planner, { accounts, status: 'scheduled', scheduled_at })
    await world.pass(3)
    expect((await read(planner, id)).status).toBe('failed')
    expect((await assign(planner, id)).body.data.items).toMatchObject([
      { success: false, data: null, message: 'Only draft posts can be assigned' },
    ])
  })

  test('without any slot, or with inactive ones, there is none available', async () => {
    const planner = await makeOwner(world)
    const id = await makeDraft(planner)
    const expectNone = async () =>
      expect((await assign(planner, id)).body.data.items).toEqual([
        { post_id: id, success: false, data: null, message: 'No available slot' },
      ])
    await expectNone()
    const slot = await makeSlot(planner, { is_active: false })
    await expectNone()
    await patchSlot(slot.id, { is_active: true }, planner)
    await assigned(planner, id)
  })

  test('goes by labels: none to none, and any shared one', async () => {
    const { planner, slot: open } = await makePlanner()
    const [one, two] = [await planner.addLabel(), await planner.addLabel()]
    const labelled = await makeSlot(planner, { label_ids: [one], start_time: '08:00' })
    const ids = [
      await makeDraft(planner),
      await makeDraft(planner, { labels: [two, one] }),
      await makeDraft(planner, { labels: [two] }),
    ]
    const { items } = (await assign(planner, ...ids)).body.data
    expect(items.map((item: any) => item.data?.slot_id ?? item.message)).toEqual([
      open.id,
      labelled.id,
      'No available slot',
    ])
  })

  test('takes the earliest of all slots, and of two at once the one that was created first', async () => {
    const { planner, slot: first } = await makePlanner()
    world.clock.advance(1)
    const second = await makeSlot(planner)
    const tuesday = await makeSlot(planner, { week_day: 2 })
    const ids = await Promise.all(Array.from({ length: 4 }, () => makeDraft(planner)))
    const { items } = (await assign(planner, ...ids)).body.data
    expect(items.map((item: any) => item.data.slot_id)).toEqual([first.id, second.id, tuesday.id, first.id])
  })

  test('without exact times, it is any second inside', async () => {
    const planner = await makeOwner(world)
    const slot = await makeSlot(planner, { recurrence: { interval: 'daily', repeat_every: 1 } })
    const account = await planner.addSocial()
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => makeDraft(planner, { accounts: [account] })),
    )
    const { items } = (await assign(planner, ...ids)).body.data
    const seconds = items.map(
      ({ data }: any) => (Date.parse(data.scheduled_at) - Date.parse(nextMonday)) / 1000,
    )
    seconds.forEach((second: number, day: number) => {
      const inside = second - day * 86_400
      expect(Number.isInteger(inside) && inside >= 0 && inside < 3_600).toBe(true)
    })
    expect(new Set(seconds.map((second: number) => second % 86_400)).size).toBeGreaterThan(1)
    expect(items.every(({ data }: any) => data.slot_id === slot.id)).toBe(true)
  })

  test('where approval is required, many posts at once wait in their occurrences', async () => {
    const { planner, slot } = await makePlanner({ requires_approval: true })
    const account = await planner.addSocial()
    const ids = await Promise.all(
      Array.from({ length: 30 }, () => makeDraft(planner, { accounts: [account] })),
    )
    const { items } = (await assign(planner, ...ids)).body.data
    for (const [week, { data }] of items.entries()) {
      expect(data).toMatchObject({
        status: 'pending_approval',
        approval: { status: 'pending' },
        slot_id: slot.id,
        scheduled_at: plusSeconds(at(nextMonday), week * 7 * 86_400),
      })
    }
    const waiting = (await world.operator('GET', `/admin/owners/${planner.id}/approvals`)).body.data
    expect(waiting.total).toBe(30)
    expect(await assigned(planner, await makeDraft(planner))).toMatchObject({
      scheduled_at: plusSeconds(at(nextMonday), 30 * 7 * 86_400),
    })
  })

  test('a hundred posts with all the labels and accounts that they may have', async () => {
    const label_ids = await Promise.all(Array.from({ length: 20 }, () => owner.addLabel()))
    const accounts = await Promise.all(Array.from({ length: 20 }, () => owner.addSocial()))
    const slot = await makeSlot(owner, { label_ids, week_day: 6, start_time: '00:00' })
    const full = await Promise.all(
      Array.from({ length: 4 }, () => makeDraft(owner, { labels: label_ids, accounts })),
    )
    const light = await Promise.all(
      Array.from({ length: 96 }, () => makeDraft(owner, { labels: [label_ids[0]], accounts: [accounts[0]] })),
    )
    const { items } = (await assign(owner, ...full, ...light)).body.data
    expect(items.map((item: any) => item.message)).toEqual(items.map(() => null))
    const starts = items.map(({ data }: any) => data.scheduled_at.slice(0, 10))
    expect(starts).toEqual(starts.toSorted())
    expect(new Set(starts).size).toBe(100)
    expect(items.every(({ data }: any) => data.slot_id === slot.id)).toBe(true)
  })

  test('an assigned post goes out at its time', async () => {
    const later = await openWorld({ routes: [...admin, ...plan, ...posts], now: '2026-03-02T08:55:00Z' })
    const planner = await makeOwner(later, { exact_slot_times: true })
    await makeSlot(planner)
    const account = await planner.addSocial()
    const post = await assigned(planner, await makeDraft(planner, { accounts: [account] }))
    await later.pass(299, 10)
    expect(await planner.sandbox(account)).toEqual([])
    await later.pass(3)
    expect(await planner.sandbox(account)).toHaveLength(1)
    expect(await read(planner, post.id)).toMatchObject({ status: 'published', scheduled_at: nextMonday })
    // It keeps its occurrence.
    expect(await holdings(planner, later)).toMatchObject([{ date: '2026-03-02', post_id: post.id }])
  })
})

describe('an occurrence is freed', () => {
  test.each([
    { by: 'another time', change: { scheduled_at: '2026-12-01T09:00:00Z' }, status: 'scheduled' },
    { by: 'status draft', change: { status: 'draft' }, status: 'draft' },
    { by: 'scheduled_at null', change: { scheduled_at: null }, status: 'draft' },
  ])('by $by', async ({ change, status }) => {
    const { planner } = await makePlanner()
    const first = await assigned(planner, await makeDraft(planner))
    const reply = await planner.call('PATCH', `/posts/${first.id}`, change)
    expect(reply.body.data).toMatchObject({ status, slot_id: null })
    expect(await holdings(planner)).toEqual([])
    expect(await assigned(planner, await makeDraft(planner))).toMatchObject({ scheduled_at: nextMonday })
  })

  test('by deletion of the post', async () => {
    const { planner } = await makePlanner()
    const first = await assigned(planner, await makeDraft(planner))
    await planner.call('DELETE', `/posts/${first.id}`)
    expect(await holdings(planner)).toEqual([])
    expect(await assigned(planner, await makeDraft(planner))).toMatchObject({ scheduled_at: nextMonday })
  })

  test('by rejection, and not by approval', async () => {
    const { planner } = await makePlanner({ requires_approval: true })
    const [one, two] = [await makeDraft(planner), await makeDraft(planner)]
    await assign(planner, one, two)
    const decide = (id: string, verb: string) =>
      world.operator('POST', `/admin/owners/${planner.id}/posts/${id}/${verb}`, {})
    expect(await decide(one, 'reject')).toMatchObject({ status: 200 })
    expect(await decide(two, 'approve')).toMatchObject({ status: 200 })
    expect(await holdings(planner)).toMatchObject([{ date: '2026-03-09', post_id: two }])
    expect((await assign(planner, one)).body.data.items[0].data.scheduled_at).toBe(nextMonday)
  })

  test('not by a change of its text, nor by its own time sent again', async () => {
    const { planner, slot } = await makePlanner()
    const first = await assigned(planner, await makeDraft(planner))
    await planner.call('PATCH', `/posts/${first.id}`, { text: 'New', scheduled_at: first.scheduled_at })
    expect(await read(planner, first.id)).toMatchObject({ slot_id: slot.id, scheduled_at: nextMonday })
    expect(await assigned(planner, await makeDraft(planner))).toMatchObject({ scheduled_at: mondayAfter })
  })
})

describe('a slot whose times were changed', () => {
  async function takenOver() {
    const { planner, slot } = await makePlanner()
    const old = await assigned(planner, await makeDraft(planner))
    await patchSlot(slot.id, { start_time: '15:00', end_time: '16:00' }, planner)
    const fresh = await assigned(planner, await makeDraft(planner))
    return { planner, slot, old, fresh }
  }
  const newTime = '2026-03-02T15:00:00.000Z'

  test('is not blocked by posts of its old times, which stay as they were', async () => {
    const { planner, slot, old, fresh } = await takenOver()
    expect(fresh).toMatchObject({ scheduled_at: newTime, slot_id: slot.id })
    expect(await read(planner, old.id)).toEqual(old)
    expect(await holdings(planner)).toMatchObject([{ date: '2026-03-02', post_id: fresh.id }])
  })

  test.each([
    { by: 'is deleted', method: 'DELETE', body: undefined },
    { by: 'becomes a draft', method: 'PATCH', body: { status: 'draft' } },
    { by: 'gets another time', method: 'PATCH', body: { scheduled_at: '2026-12-01T09:00:00Z' } },
  ])('keeps its new holder when the old one $by', async ({ method, body }) => {
    const { planner, old, fresh } = await takenOver()
    expect(await planner.call(method, `/posts/${old.id}`, body)).toMatchObject({ status: 200 })
    expect(await holdings(planner)).toMatchObject([{ date: '2026-03-02', post_id: fresh.id }])
    expect(await assigned(planner, await makeDraft(planner))).toMatchObject({
      scheduled_at: '2026-03-09T15:00:00.000Z',
    })
  })

  test('is still blocked by those that lie inside its new times', async () => {
    const { planner, slot } = await makePlanner()
    await assigned(planner, await makeDraft(planner))
    await patchSlot(slot.id, { start_time: '08:00', end_time: '09:01' }, planner)
    expect(await assigned(planner, await makeDraft(planner))).toMatchObject({
      scheduled_at: '2026-03-09T08:00:00.000Z',
    })
  })

  test('is still blocked by those that lie inside in its new zone, on another date', async () => {
    const allDay = {
      start_time: '00:00',
      end_time: '23:59',
      recurrence: { interval: 'daily', repeat_every: 1 },
    }
    const { planner, slot } = await makePlanner({}, allDay)
    // Tuesday in UTC is Tuesday from 09:00 on in Tokyo, and Wednesday's first nine hours.
    await patchSlot(slot.id, { start_time: '20:00' }, planner)
    const first = await assigned(planner, await makeDraft(planner))
    expect(first.scheduled_at).toBe('2026-03-02T20:00:00.000Z')
    await patchSlot(slot.id, { start_time: '00:00', timezone: 'Asia/Tokyo', week_day: 2 }, planner)
    const next = await assigned(planner, await makeDraft(planner))
    // Tuesday's occurrence begins at 15:00 on Monday in UTC, and holds the first.
    expect(next.scheduled_at).toBe('2026-03-03T15:00:00.000Z')
  })
})

test('when a slot is deleted, its posts stay as they are and go out', async () => {
  const later = await openWorld({ routes: [...admin, ...plan, ...posts], now: '2026-03-02T08:59:00Z' })
  const planner = await makeOwner(later, { exact_slot_times: true })
  const slot = await makeSlot(planner)
  const post = await assigned(planner, await makeDraft(planner))
  expect(await planner.call('DELETE', `/plan/slots/${slot.id}`)).toMatchObject({ status: 200 })
  expect(await read(planner, post.id)).toEqual(post)
  expect((await assign(planner, await makeDraft(planner))).body.data.items).toMatchObject([
    { message: 'No available slot' },
  ])
  await later.pass(65, 5)
  expect(await read(planner, post.id)).toMatchObject({ status: 'published', slot_id: slot.id })
})
