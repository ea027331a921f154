import { document } from '#shared/edge/reply.ts'
import { route } from '#shared/edge/route.ts'
import { loadDescription } from './description.ts'
import { referencePage } from './reference-page.ts'
import { contentSecurityPolicy } from './reference-style.ts'

/** The reference page, made from the OpenAPI description. It loads nothing and runs nothing. */
export const getReference = route({
  method: 'GET',
  path: '/docs',
  access: 'open',
  summary: 'The reference page',
  description: 'This API as a page to read.',
  examples: { reply: '<!doctype html><title>Posthaste API</title>' },

  async handle() {
    return document('text/html; charset=utf-8', referencePage(await loadDescription()), {
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    })
  },
})
