import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartProblem } from './start-problem.ts'

export interface DataFolder {
  path: string
  /** Lets others have it; removes it, if it was made for this run only. */
  close(): Promise<void>
}

/** The folder that keeps everything, for this process alone. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const unlock = lock(path)
  return { path, close: async () => unlock() }
}

/** A folder that is gone when this process ends in order. */
export async function openTemporaryFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'posthaste-'))
  return { path, close: () => rm(path, { recursive: true, force: true }) }
}

// SQLite's lock on a file, because the system lifts it when its holder dies, however that comes about.
function lock(folder: string): () => void {
  const file = new DatabaseSync(join(folder, 'lock.db'))
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch {
    file.close()
    throw new StartProblem(
      `Posthaste is running on ${folder} already: stop it first, or start with --in-memory.`,
    )
  }
  return () => file.close()
}
