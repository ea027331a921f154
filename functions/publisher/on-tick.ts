import { onTick } from '#shared/edge/on-tick.ts'
import { dispatchDue } from './dispatch-due.ts'

/** The schedule: every minute on AWS, every second locally. */
export const handler = onTick(dispatchDue)
