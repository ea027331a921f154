import { onObjectCreated } from '#shared/edge/on-object-created.ts'
import { noteArrival } from './note-arrival.ts'

/** S3 tells that an object was written below `uploads/`. */
export const handler = onObjectCreated(noteArrival)
