import { type FunctionSpec, functions, type Waker } from '../functions.ts'
import { type DoorRoute, type Routes, readRoutes } from '../routes.ts'
import { type Call, type Handler, type LambdaOptions, lambda } from './lambda.ts'

/** A function of the map, ready to be called. */
export interface Door {
  name: string
  spec: FunctionSpec
  /** Empty for doors that no HTTP route leads to. */
  routes: readonly DoorRoute[]
  call: Call
}

const functionsFolder = new URL('../../functions/', import.meta.url)

/** Imports every door of the map: the environment must have been set before. */
export async function loadDoors(
  onFailure: LambdaOptions['onFailure'],
  folder: URL = functionsFolder,
): Promise<Door[]> {
  const routes: Record<string, readonly DoorRoute[]> = (await readRoutes(folder)) satisfies Routes
  return Promise.all(
    Object.entries<FunctionSpec>(functions).map(async ([name, spec]) => {
      const { handler }: { handler: Handler } = await import(new URL(`${spec.entry}.ts`, folder).href)
      return { name, spec, routes: routes[name] ?? [], call: lambda(handler, { ...spec, name, onFailure }) }
    }),
  )
}

/** The doors that are woken this way, each with what wakes it. */
export function wokenBy<Kind extends Waker['kind']>(doors: Door[], kind: Kind) {
  return doors.flatMap((door) => {
    const waker = door.spec.wokenBy
    return waker.kind === kind ? [{ ...door, waker: waker as Extract<Waker, { kind: Kind }> }] : []
  })
}
