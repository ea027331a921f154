/**
 * Bundles every door in one esbuild run, so that what they share becomes chunks; then gives each function a folder
 * with its own entry and only the chunks that it can reach. A change in one door leaves the others' folders, and so
 * their deployed code, as they were.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild'
import { type FunctionName, type FunctionSpec, functions } from './functions.ts'
import { ownSourceMap } from './own-source-map.ts'

export interface BundleOptions<Name extends string> {
  /** By function: its door, a path below `functions` without its ending. */
  doors: Record<Name, { entry: string }>
  /** The folder that holds `functions/`. */
  root: string
  /** Where each function gets a folder of its name; whatever was there is removed. */
  into: string
}

/** A function's folder after bundling: its files, and the scripts among them that load before the first event. */
export interface Bundle {
  folder: string
  files: string[]
  neededAtStart: string[]
}

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/** Bundles every function of the map into `.build/functions/<name>`. */
export function bundleFunctions(): Promise<Record<FunctionName, Bundle>> {
  const map: Record<FunctionName, FunctionSpec> = functions
  return bundleDoors({ doors: map, root: projectRoot, into: path.join(projectRoot, '.build/functions') })
}

/** Bundles these doors; the handler of a function is then `<entry>.handler`. */
export async function bundleDoors<Name extends string>({
  doors,
  root,
  into,
}: BundleOptions<Name>): Promise<Record<Name, Bundle>> {
  const entries = Object.entries<{ entry: string }>(doors)
  const { outputFiles, metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: entries.map(([, { entry }]) => `functions/${entry}.ts`),
  })
  const contents = new Map(outputFiles.map((file) => [path.relative(root, file.path), deployed(file)]))
  await rm(into, { recursive: true, force: true })

  const bundled = entries.map(async ([name, { entry }]) => {
    const folder = path.join(into, name)
    const made = reachable(metafile, `${entry}.mjs`).flatMap((script) => [script, `${script}.map`])
    await Promise.all(made.map((file) => write(path.join(folder, file), contents.get(file))))
    const assets = await copyAssets(path.join(root, 'functions'), folder, path.dirname(entry))
    return [
      name,
      { folder, files: [...made, ...assets], neededAtStart: neededAtStart(metafile, `${entry}.mjs`) },
    ] as const
  })
  return Object.fromEntries(await Promise.all(bundled)) as Record<Name, Bundle>
}

const options = {
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: [],
  outbase: 'functions',
  // Nothing is written there: it makes the paths in the source maps read `functions/…` and `shared/…` on Lambda.
  outdir: '.',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  banner: {
    js: "import{createRequire as __banner_createRequire}from'node:module';const require=__banner_createRequire(import.meta.url);",
  },
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions

const reachable = (metafile: Metafile, script: string): string[] => follow(metafile, script, () => true)

const neededAtStart = (metafile: Metafile, script: string): string[] =>
  follow(metafile, script, (kind) => kind !== 'dynamic-import')

const deployed = ({ path, contents, text }: OutputFile): Uint8Array | string =>
  path.endsWith('.map') ? ownSourceMap(text) : contents

/** The script and what it imports, directly or not, along imports of some kinds. */
function follow({ outputs }: Metafile, script: string, isFollowed: (kind: string) => boolean): string[] {
  const found = new Set([script])
  for (const file of found) {
    for (const imported of outputs[file]?.imports ?? []) {
      if (!imported.external && isFollowed(imported.kind)) found.add(imported.path)
    }
  }
  return [...found]
}

async function write(file: string, contents: Uint8Array | string | undefined): Promise<void> {
  if (!contents) throw new Error(`esbuild named ${file}, but did not make it`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, contents)
}

/** `functions/<group>/assets` travels beside the group's doors: a door finds it by `new URL('./assets/…', import.meta.url)`. */
async function copyAssets(functionsFolder: string, folder: string, group: string): Promise<string[]> {
  const assets = path.join(functionsFolder, group, 'assets')
  if (!existsSync(assets)) return []
  await cp(assets, path.join(folder, group, 'assets'), { recursive: true })
  const entries = await readdir(assets, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile())
  return files.map((file) => path.relative(functionsFolder, path.join(file.parentPath, file.name)))
}
