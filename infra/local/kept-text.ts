import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the file holds, or undefined when there is none. */
export async function readKept(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}

/** Writes a file that only this user may read: all of it or, when the process is killed, nothing. */
export async function keep(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, name)
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** What was kept under this name, or what is made now and kept from then on. */
export async function keptOr(folder: string, name: string, make: () => string): Promise<string> {
  const kept = await readKept(folder, name)
  if (kept) return kept
  const text = make()
  await keep(folder, name, text)
  return text
}
