import type { DoorRoute } from '../routes.ts'

export interface Match<Route extends DoorRoute> {
  route: Route
  parameters: Record<string, string>
}

/**
 * Finds the route as API Gateway does: the path has been decoded before, so that an encoded slash parts segments
 * like any other; a literal segment is preferred to a parameter, and that to a greedy one.
 */
export function matchRoute<Route extends DoorRoute>(
  routes: readonly Route[],
  method: string,
  decodedPath: string,
): Match<Route> | undefined {
  const segments = decodedPath.split('/')
  return routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route) => {
      const parameters = readParameters(route.path.split('/'), segments)
      return parameters ? [{ route, parameters }] : []
    })
    .toSorted((one, other) => compare(rank(one.route.path), rank(other.route.path)))[0]
}

function readParameters(pattern: string[], segments: string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {}
  for (const [at, part] of pattern.entries()) {
    const [, name, greedy] = /^\{([^}+]+)(\+?)\}$/.exec(part) ?? []
    const value = greedy ? segments.slice(at).join('/') : segments[at]
    if (name ? !value : value !== part) return undefined
    if (name) parameters[name] = value ?? ''
    if (greedy) return parameters
  }
  return segments.length === pattern.length ? parameters : undefined
}

// Text that sorts the best first: one digit a segment.
const rank = (path: string) =>
  path
    .split('/')
    .map((part) => (part.endsWith('+}') ? 2 : part.endsWith('}') ? 1 : 0))
    .join('')

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
