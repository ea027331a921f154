import { api } from '#shared/edge/api.ts'
import { approvePost } from './approve-post.ts'
import { changeOwner } from './change-owner.ts'
import { changeSocial } from './change-social.ts'
import { createKey } from './create-key.ts'
import { createOwner } from './create-owner.ts'
import { createSocial } from './create-social.ts'
import { deleteKey } from './delete-key.ts'
import { deleteOwner } from './delete-owner.ts'
import { deleteSocial } from './delete-social.ts'
import { getOwner } from './get-owner.ts'
import { listApprovals } from './list-approvals.ts'
import { listKeys } from './list-keys.ts'
import { listOwners } from './list-owners.ts'
import { listSocials } from './list-socials.ts'
import { readSandbox } from './read-sandbox.ts'
import { rejectPost } from './reject-post.ts'

export const routes = [
  listOwners,
  createOwner,
  getOwner,
  changeOwner,
  deleteOwner,
  listKeys,
  createKey,
  deleteKey,
  listSocials,
  createSocial,
  changeSocial,
  deleteSocial,
  readSandbox,
  listApprovals,
  approvePost,
  rejectPost,
]
export const handler = api(routes)
