import { isId } from '#shared/domain/id.ts'
import { onChange } from '#shared/edge/on-change.ts'
import { takeOffLabel } from './take-off-label.ts'

/** The stream tells that a label was deleted. */
export const handler = onChange(async ({ key }, services) => {
  if (isId('label', key.sk)) await takeOffLabel(key.sk, services)
})
