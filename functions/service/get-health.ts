import * as v from 'valibot'
import { ok } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'

/** Answers when the service runs. It looks at nothing else, so that it stays cheap to ask. */
export const getHealth = route({
  method: 'GET',
  path: '/health',
  access: 'open',
  summary: 'Is the service up?',
  reply: v.object({ status: v.literal('ok') }),

  async handle() {
    return ok({ status: 'ok' })
  },
})
