import type { ApiKey } from '#shared/domain/api-key.ts'
import { keyText, makeSecret, secretLength, sha256 } from '#shared/domain/api-key.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import { fields, titleOf } from '#shared/edge/fields.ts'
import { created } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { NewKeyReply, showKey } from './key-schema.ts'

/** Creates an API key. Its text is in this answer, and nowhere else. */
export const createKey = route({
  method: 'POST',
  path: '/admin/owners/{owner}/keys',
  access: 'operator',
  summary: 'Create an API key',
  body: fields({ name: titleOf('name', 100) }),
  reply: NewKeyReply,
  status: 201,
  examples: { body: { name: 'CI' } },

  async handle({ params, body, now }, { owners, apiKeys, nextId, random }) {
    const owner = await owners.get(params['owner'] ?? '')
    const secret = makeSecret(random.bytes(secretLength))
    const key: ApiKey = {
      id: nextId('key', ownerCodeOf(owner.id), now),
      owner_id: owner.id,
      name: body.name,
      secret_sha256: sha256(secret),
      last_four: secret.slice(-4),
      created_at: now,
      last_used_at: null,
    }
    await apiKeys.create(key)
    return created({ ...showKey(key), key: keyText(key.id, secret) })
  },
})
