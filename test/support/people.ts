/** Owners with keys, accounts and labels, made through the doors as the application makes them. */
import type { World } from './world.ts'

export type OwnerInWorld = Awaited<ReturnType<typeof makeOwner>>

let made = 0

/** A fresh owner with a key; `call` is the owner calling the API. Needs the admin door's routes. */
export async function makeOwner(world: World, settings: Record<string, unknown> = {}) {
  const owner = await world.operator('POST', '/admin/owners', {
    type: 'workspace',
    name: `Owner ${++made}`,
    settings,
  })
  const id: string = owner.body.data.id
  const { body } = await world.operator('POST', `/admin/owners/${id}/keys`, { name: 'Tests' })
  const key: string = body.data.key
  return {
    id,
    key,
    keyId: body.data.id as string,
    call: (method: string, path: string, payload?: unknown) => world.call(method, path, payload, { key }),

    /** The ID of a new sandbox account of the owner's. */
    async addSocial(fields: Record<string, unknown> = {}): Promise<string> {
      const social = await world.operator('POST', `/admin/owners/${id}/socials`, {
        provider_type: 'mastodon',
        display_name: `Account ${++made}`,
        sandbox: true,
        ...fields,
      })
      return social.body.data.id
    },

    async addLabel(title = `Label ${++made}`): Promise<string> {
      return (await world.call('POST', '/labels', { title }, { key })).body.data.id
    },

    /** What the sandbox network accepted for an account, newest first. */
    async sandbox(social: string) {
      return (await world.operator('GET', `/admin/owners/${id}/socials/${social}/sandbox`)).body.data.items
    },
  }
}
