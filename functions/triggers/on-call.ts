import { notFound } from '#shared/domain/problem.ts'
import { envelope } from '#shared/edge/api.ts'

/** The Lambda behind trigger URLs. Nothing can create a trigger yet, so no ID names one. */
export const handler = envelope(async () => {
  throw notFound('Trigger')
})
