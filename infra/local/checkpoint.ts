import { keep, readKept } from './kept-text.ts'
import type { StreamPosition } from './stream-records.ts'

/** Remembers how far a reader of the stream has come. */
export interface Checkpoint {
  load(): Promise<StreamPosition | undefined>
  save(position: StreamPosition): Promise<void>
}

/** Remembers it in a file, so that a later process goes on there. */
export const fileCheckpoint = (folder: string, name: string): Checkpoint => ({
  async load() {
    const text = await readKept(folder, name)
    return text ? JSON.parse(text) : undefined
  },
  save: (position) => keep(folder, name, JSON.stringify(position)),
})

/** Remembers it for as long as this process lives. */
export function memoryCheckpoint(): Checkpoint {
  let position: StreamPosition | undefined
  return {
    load: async () => position,
    save: async (next) => void (position = next),
  }
}
