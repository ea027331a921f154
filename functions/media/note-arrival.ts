import { isId } from '#shared/domain/id.ts'
import type { ObjectCreated } from '#shared/edge/on-object-created.ts'
import type { Services } from '#shared/services.ts'

/** Notes on the upload session what its key `uploads/<upload id>/…` holds now; any other object is not ours. */
export async function noteArrival(object: ObjectCreated, { uploads }: Services): Promise<void> {
  const [, id] = object.key.split('/')
  const { size, etag, sequencer } = object
  if (isId('upload', id)) await uploads.noteArrival(id, { size, etag, sequencer })
}
