import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { functions } from '../../infra/functions.ts'
import { readRoutes } from '../../infra/routes.ts'

const httpDoors = Object.entries(functions).filter(([, { wokenBy }]) => wokenBy.kind === 'http')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'posthaste-routes-'))
  for (const [name, { entry }] of httpDoors) writeDoor(entry, [`/${name}/{id}`])
})

afterEach(() => rmSync(folder, { recursive: true }))

test('every HTTP door of the map says its routes, in the order of the map', async () => {
  const routes = await read()
  expect(Object.entries(routes)).toEqual(
    httpDoors.map(([name]) => [name, [{ method: 'GET', path: `/${name}/{id}` }]]),
  )
})

test.each([
  { what: 'the same route', path: '/posts/{id}' },
  { what: 'a route that differs in the name of a parameter alone', path: '/posts/{postId}' },
])('two doors may not claim $what', async ({ path }) => {
  writeDoor('labels/api', [path])
  await expect(read()).rejects.toThrow(`GET ${path} of "labels" is a route of "posts" already`)
})

test('a greedy parameter is another route', async () => {
  writeDoor('labels/api', ['/posts/{id+}'])
  await expect(read()).resolves.toMatchObject({ labels: [{ path: '/posts/{id+}' }] })
})

test('a door without routes is an error, and so is a door that is not there', async () => {
  writeDoor('labels/api', [])
  await expect(read()).rejects.toThrow(/labels\/api\.ts exports no routes/)
  rmSync(path.join(folder, 'posts'), { recursive: true })
  await expect(read()).rejects.toThrow()
})

const read = () => readRoutes(pathToFileURL(`${folder}/`))

function writeDoor(entry: string, paths: string[]): void {
  const file = path.join(folder, `${entry}.ts`)
  mkdirSync(path.dirname(file), { recursive: true })
  const routes = paths.map((path) => ({ method: 'GET', path, access: 'key' }))
  writeFileSync(file, `export const routes = ${JSON.stringify(routes)}\n`)
}
