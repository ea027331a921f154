/**
 * Writes the OpenAPI description from the endpoints' own routes: `npm run openapi`. The file is committed, so that a
 * change of the contract shows in review; a test tells when it is stale.
 */
import { readFile, writeFile } from 'node:fs/promises'
import type { Route } from '#shared/edge/route.ts'
import { about, failures, groups, headers, securitySchemes, servers } from './openapi/about.ts'
import { schemaWriter } from './openapi/json-schema.ts'
import type { Names } from './openapi/names.ts'
import { readNames } from './openapi/names.ts'
import type { Operation, Shared } from './openapi/operation.ts'
import { createdExample, operationOf } from './openapi/operation.ts'
import type { Parameter } from './openapi/parameters.ts'
import { pathParametersOf, templateOf } from './openapi/parameters.ts'
import { readEndpoints } from './routes.ts'

/** By door, the endpoints behind it. */
export type Doors = Readonly<Record<string, readonly Route[]>>

/** Methods in lower case, and the parameters of the path. */
type PathItem = { parameters?: Parameter[] } & Record<string, Operation | Parameter[] | undefined>

/** The OpenAPI 3.1 document of these endpoints, in their order. */
export function describeApi(doors: Doors, { version, names }: { version: string; names: Names }) {
  const shared = startShared(Object.values(doors).flat(), names)
  const tags = Object.keys(doors).map(groupOf)
  const paths: Record<string, PathItem> = {}
  for (const [door, routes] of Object.entries(doors)) {
    for (const route of routes) {
      const parameters = pathParametersOf(route.path, shared.schemas.components)
      const item = (paths[templateOf(route.path)] ??= withParameters(
        parameters.map(({ parameter }) => parameter),
      ))
      item[route.method.toLowerCase()] = operationOf(route, parameters, { tag: groupOf(door).name, shared })
    }
  }
  return {
    openapi: '3.1.0',
    info: { ...about, version },
    servers,
    tags,
    paths,
    components: {
      schemas: { ...inOrder(shared.schemas.components), ...failures },
      responses: inOrder(shared.responses),
      parameters: inOrder(shared.parameters),
      headers,
      securitySchemes,
    },
  }
}

/** Describes the whole service as it is in this folder. */
export async function describeService() {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return describeApi(await readEndpoints(), { version, names: await readNames() })
}

/** The text of the committed file. */
export const format = (description: object): string => `${JSON.stringify(description, null, 2)}\n`

/** Written first: the schemas that IDs in paths take their examples from, and what creates answer. */
function startShared(routes: Route[], names: Names): Shared {
  const schemas = schemaWriter(names)
  for (const { reply } of routes) if (reply) schemas.output(reply)
  const creating = routes.filter(({ status, reply }) => status === 201 && reply)
  const created = new Map(creating.map((route) => [route.reply, createdExample(route, schemas)]))
  return { names, schemas, created, parameters: {}, responses: {} }
}

function groupOf(door: string) {
  const group = groups[door]
  if (!group) throw new Error(`The door "${door}" has no heading in infra/openapi/about.ts`)
  return group
}

const withParameters = (parameters: Parameter[]): PathItem => (parameters.length > 0 ? { parameters } : {})

const inOrder = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))

if (import.meta.main) {
  const file = new URL('../functions/service/openapi.json', import.meta.url)
  await writeFile(file, format(await describeService()))
}
