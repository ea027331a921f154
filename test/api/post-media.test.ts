import { beforeAll, expect, test } from 'vitest'
import type { Id } from '#shared/domain/id.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { mediaKey } from '#shared/store/layout.ts'
import { routes as admin } from '../../functions/admin/api.ts'
import { routes as posts } from '../../functions/posts/api.ts'
import { makeOwner, type OwnerInWorld } from '../support/people.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let owner: OwnerInWorld

beforeAll(async () => {
  world = await openWorld({ routes: [...admin, ...posts] })
  owner = await makeOwner(world)
})

/** A media item of the owner's, as the library keeps it. */
async function addMedia(type: 'image' | 'gif' | 'video', of = owner): Promise<string> {
  const { nextId, clock } = world.services
  const id = nextId('media', ownerCodeOf(of.id as Id<'owner'>), clock.now())
  await world.table.commit([{ put: { ...mediaKey(id), id, type } }])
  return id
}

const create = (fields: object) => owner.call('POST', '/posts', { text: 'Hello', ...fields })

test('a thumbnail is an image beside exactly one video, for an account that takes it', async () => {
  const [video, clip, image, gif] = await Promise.all([
    addMedia('video'),
    addMedia('video'),
    addMedia('image'),
    addMedia('gif'),
  ])
  const accounts = [await owner.addSocial({ provider_type: 'instagram' })]
  const good = { publish_type: 'short', accounts, media: [video], thumbnail_media_id: image }
  const created = await create(good)
  expect(created).toMatchObject({
    status: 201,
    body: { data: { media: [video], thumbnail_media_id: image } },
  })

  const elsewhere = [await owner.addSocial({ provider_type: 'tiktok' })]
  for (const bad of [
    { thumbnail_media_id: gif },
    { thumbnail_media_id: clip },
    { media: [video, clip] },
    { accounts: elsewhere },
  ]) {
    expect(await create({ ...good, ...bad })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'thumbnail_media_id' }] },
    })
  }

  // One side alone: the other one is the stored one.
  const path = `/posts/${created.body.data.id}`
  expect(await owner.call('PATCH', path, { media: [image] })).toMatchObject({ status: 400 })
  expect(await owner.call('PATCH', path, { thumbnail_media_id: gif })).toMatchObject({ status: 400 })
  expect(await owner.call('PATCH', path, { thumbnail_media_id: null })).toMatchObject({
    status: 200,
    body: { data: { thumbnail_media_id: null, media: [video] } },
  })
})

test('media must exist, be a media ID, and be the caller’s', async () => {
  const theirs = await addMedia('image', await makeOwner(world))
  expect(await create({ media: [theirs] })).toMatchObject({ status: 403, body: { message: 'Access denied' } })
  for (const id of [
    theirs.replace('med_', 'upl_'),
    `${theirs.slice(0, -1)}${theirs.endsWith('Z') ? '0' : 'Z'}`,
    'nothing',
  ]) {
    expect(await create({ media: [id] })).toMatchObject({
      status: 400,
      body: { message: 'One or more media were not found' },
    })
  }
  const image = await addMedia('image')
  expect(await create({ media: [{ id: image }] })).toMatchObject({
    status: 201,
    body: { data: { media: [image] } },
  })
})
