import { beforeAll, expect, test } from 'vitest'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as labels } from '../../functions/labels/api.ts'
import { takeOffLabel } from '../../functions/labels/take-off-label.ts'
import { routes as plan } from '../../functions/plan/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...labels, ...plan] })
  owner = await makeOwner(world)
})

async function addSlot(label_ids: string[]): Promise<string> {
  const times = { week_day: 1, start_time: '09:00', end_time: '10:00' }
  const recurrence = { interval: 'weekly', repeat_every: 1 }
  const slot = await owner.call('POST', '/plan/slots', { ...times, recurrence, label_ids })
  expect(slot.status).toBe(201)
  return slot.body.data.id
}

const read = async (id: string) => (await owner.call('GET', `/plan/slots/${id}`)).body.data

test('a deleted label comes off slots; one that loses its last label becomes inactive', async () => {
  const [gone, kept] = [await owner.addLabel(), await owner.addLabel()]
  const [both, only, other, open] = [
    await addSlot([gone, kept]),
    await addSlot([gone]),
    await addSlot([kept]),
    await addSlot([]),
  ]
  await owner.call('DELETE', `/labels/${gone}`)
  await takeOffLabel(gone as never, world.services)
  await takeOffLabel(gone as never, world.services)
  expect(await read(both)).toMatchObject({ label_ids: [kept], is_active: true })
  expect(await read(only)).toMatchObject({ label_ids: [], is_active: false })
  expect(await read(other)).toMatchObject({ label_ids: [kept], is_active: true })
  expect(await read(open)).toMatchObject({ label_ids: [], is_active: true })
})
