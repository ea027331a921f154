/** The routes of the HTTP API, read from the doors: an endpoint states its method and path once, in its route object. */
import type { Route } from '#shared/edge/route.ts'
import { type FunctionName, type FunctionSpec, functions } from './functions.ts'

/** One endpoint's address: `GET`, `/labels/{id}`; `{id+}` takes the rest of the path, slashes included. */
export interface DoorRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY'
  path: string
}

/** By function, in the order of the map: the routes that lead to it. */
export type Routes = Partial<Record<FunctionName, readonly DoorRoute[]>>

const functionsFolder = new URL('../functions/', import.meta.url)

/** The routes of every `http` door of the map; throws when a door lacks them or two claim one route. */
export async function readRoutes(folder: URL = functionsFolder): Promise<Routes> {
  const doors = Object.entries(await readEndpoints(folder))
  return Object.fromEntries(
    doors.map(([name, routes]) => [name, routes.map(({ method, path }) => ({ method, path }))]),
  )
}

/** As `readRoutes`, with all that the route objects say: for the OpenAPI description. */
export async function readEndpoints(
  folder: URL = functionsFolder,
): Promise<Record<string, readonly Route[]>> {
  const doors = Object.entries<FunctionSpec>(functions).filter(([, { wokenBy }]) => wokenBy.kind === 'http')
  const read = await Promise.all(
    doors.map(async ([name, { entry }]) => [name, await readDoor(new URL(`${entry}.ts`, folder))] as const),
  )
  refuseSharedRoutes(read)
  return Object.fromEntries(read)
}

async function readDoor(door: URL): Promise<Route[]> {
  const { routes } = (await import(door.href)) as { routes?: Route[] }
  if (!routes?.length) throw new Error(`${door.pathname} exports no routes`)
  return routes
}

function refuseSharedRoutes(doors: (readonly [name: string, routes: DoorRoute[]])[]): void {
  const owners = new Map<string, string>()
  for (const [name, routes] of doors) {
    for (const { method, path } of routes) {
      // For API Gateway `/posts/{id}` and `/posts/{postId}` are one route.
      const key = `${method} ${path.replaceAll(/\{[^}+]+/g, '{')}`
      const owner = owners.get(key)
      if (owner) throw new Error(`${method} ${path} of "${name}" is a route of "${owner}" already`)
      owners.set(key, name)
    }
  }
}
