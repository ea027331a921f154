/** What things are called in the description: endpoints and schemas bear the names that their files export. */
import { readdir } from 'node:fs/promises'
import { type FunctionSpec, functions } from '../functions.ts'

/** By endpoint and schema, its name: `createPost`, `Post` for `PostReply`, `PostInput`. */
export type Names = ReadonlyMap<unknown, string>

const root = new URL('../../', import.meta.url)

/** Reads the names from the files beside the `http` doors, and from the edge and the domain. */
export async function readNames(): Promise<Names> {
  const doors = Object.values<FunctionSpec>(functions).filter(({ wokenBy }) => wokenBy.kind === 'http')
  const groups = doors.map(({ entry }) => `functions/${entry.slice(0, entry.lastIndexOf('/'))}/`)
  const files = await Promise.all([...groups, 'shared/edge/', 'shared/domain/'].map(listFiles))
  const modules = await Promise.all(files.flat().map((file): Promise<object> => import(file.href)))
  const exported = modules.flatMap((each) => Object.entries<unknown>({ ...each }))
  return new Map(
    exported.flatMap(([name, value]) => {
      const known = isEndpoint(value) ? name : isBodySchema(name, value) && name.replace(/Reply$/, '')
      return known ? [[value, known] as const] : []
    }),
  )
}

/** In the order of the alphabet; doors are left out: they only list what others export. */
async function listFiles(folder: string): Promise<URL[]> {
  const names = await readdir(new URL(folder, root))
  const files = names.filter((name) => name.endsWith('.ts') && name !== 'api.ts' && !name.startsWith('on-'))
  return files.toSorted().map((name) => new URL(`${folder}${name}`, root))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isEndpoint = (value: unknown): boolean => isObject(value) && 'path' in value && 'handle' in value

const isBodySchema = (name: string, value: unknown): boolean =>
  /(?:Reply|Input|Patch)$/.test(name) && isObject(value) && 'entries' in value
