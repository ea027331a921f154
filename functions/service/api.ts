import { api } from '#shared/edge/api.ts'
import { getDescription } from './get-description.ts'
import { getHealth } from './get-health.ts'
import { getReference } from './get-reference.ts'
import { getStatus } from './get-status.ts'

export const routes = [getStatus, getHealth, getDescription, getReference]
export const handler = api(routes)
