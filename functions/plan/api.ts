import { api } from '#shared/edge/api.ts'
import { assignNext } from './assign-next.ts'
import { changeSlot } from './change-slot.ts'
import { createSlot } from './create-slot.ts'
import { deleteSlot } from './delete-slot.ts'
import { getSlot } from './get-slot.ts'
import { listSlots } from './list-slots.ts'

export const routes = [listSlots, createSlot, getSlot, changeSlot, deleteSlot, assignNext]
export const handler = api(routes)
