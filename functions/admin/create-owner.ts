import { makeOwnerCode } from '#shared/domain/id.ts'
import type { Owner } from '#shared/domain/owner.ts'
import { defaultSettings } from '#shared/domain/owner.ts'
import { created } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { OwnerInput, OwnerReply, showOwner } from './owner-schema.ts'

/** Creates an owner: a user or a workspace. */
export const createOwner = route({
  method: 'POST',
  path: '/admin/owners',
  access: 'operator',
  summary: 'Create an owner',
  body: OwnerInput,
  reply: OwnerReply,
  status: 201,
  examples: { body: { type: 'workspace', name: 'Acme', settings: { timezone: 'Europe/Paris' } } },

  async handle({ body, now }, { owners, nextId, random }) {
    const { type, name } = body
    for (;;) {
      const owner: Owner = {
        id: nextId('owner', makeOwnerCode(random.bytes(10)), now),
        type,
        name,
        settings: { ...defaultSettings, ...body.settings },
        created_at: now,
        updated_at: now,
      }
      if (await owners.create(owner)) return created(showOwner(owner))
    }
  },
})
