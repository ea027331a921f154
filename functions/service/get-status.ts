import * as v from 'valibot'
import { maskKey } from '#shared/domain/api-key.ts'
import { unauthorized } from '#shared/domain/problem.ts'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Tells whose key it is: the credential test of integrations. */
export const getStatus = route({
  method: 'GET',
  path: '/status',
  access: 'key',
  summary: 'Test an API key',
  description: 'Answers whose key it is. The key itself comes back masked.',
  reply: v.object({
    status: v.literal('ok'),
    token: v.pipe(v.string(), v.description('The key, masked.'), v.examples(['ph_4Z7K2M9QWX01JE****'])),
    username: v.pipe(v.string(), v.description('The owner’s name.'), v.examples(['Acme'])),
    owner: v.object({
      id: v.pipe(v.string(), v.examples(['own_4Z7K2M9QWX01JE3Z5W8R0000000000000000'])),
      type: v.picklist(['user', 'workspace']),
    }),
  }),

  async handle({ caller }, { owners }) {
    const owner = await owners.find(caller.owner)
    // Its owner was removed while the key was still trusted.
    if (!owner) throw unauthorized()
    return ok({
      status: 'ok',
      token: maskKey(caller.key.id),
      username: owner.name,
      owner: { id: owner.id, type: owner.type },
    })
  },
})
