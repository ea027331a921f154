import { api } from '#shared/edge/api.ts'
import { getSocial } from './get-social.ts'
import { listSocials } from './list-socials.ts'

export const routes = [listSocials, getSocial]
export const handler = api(routes)
