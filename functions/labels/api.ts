import { api } from '#shared/edge/api.ts'
import { changeLabel } from './change-label.ts'
import { createLabel } from './create-label.ts'
import { deleteLabel } from './delete-label.ts'
import { getLabel } from './get-label.ts'
import { listLabels } from './list-labels.ts'

export const routes = [listLabels, createLabel, getLabel, changeLabel, deleteLabel]
export const handler = api(routes)
