import { document } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { loadDescription } from './description.ts'

/** The OpenAPI description of the service, as it is: for tools. */
export const getDescription = route({
  method: 'GET',
  path: '/openapi.json',
  access: 'open',
  summary: 'The OpenAPI description',
  description: 'OpenAPI 3.1, not in the envelope. `GET /docs` is the same for people.',
  examples: { reply: { openapi: '3.1.0', info: { title: 'Posthaste', version: '0.1.0' }, paths: {} } },

  async handle() {
    return document('application/json', JSON.stringify(await loadDescription()))
  },
})
