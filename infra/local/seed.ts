import { keep, readKept } from './kept-text.ts'

/** The demo workspace: whose key and which accounts a first request can use. */
export interface Demo {
  key: string
  accountIds: string[]
}

interface SeedOptions {
  baseUrl: string
  operatorKey: string
  /** Remembers what has been made already, the key above all: nobody can read it again. */
  folder: string
}

/** What was made so far. Kept after every step, so that a start that is killed goes on where it stopped. */
type Progress = Record<string, Made>

interface Made {
  id: string
  /** Of an API key alone: its text. */
  key?: string
}

/** One thing to be made: by POST to this path, with this bearer key. */
interface Step {
  path: string
  bearer: string
  body: object
}

const file = 'demo.json'

/** The demo workspace that an earlier start has made, if it came to its end. */
export async function findDemo(folder: string): Promise<Demo | undefined> {
  return demoOf((await readProgress(folder)) ?? {})
}

/** Makes the demo workspace through the API, or what an interrupted start left undone of it. */
export async function seedDemo({ baseUrl, operatorKey, folder }: SeedOptions): Promise<Demo> {
  const earlier = await readProgress(folder)
  const progress = earlier ?? {}
  const remember = () => keep(folder, file, JSON.stringify(progress))
  await remember()

  const make = async (name: string, step: Step): Promise<Made> => {
    // An earlier start may have been killed after it had made this and before it could write that down.
    progress[name] ??= (earlier && (await findMade(baseUrl, step))) ?? (await ask('POST', baseUrl, step))
    await remember()
    return progress[name]
  }

  const workspace = { type: 'workspace', name: 'Demo workspace' }
  const owner = await make('owner', { path: '/admin/owners', bearer: operatorKey, body: workspace })
  const under = `/admin/owners/${owner.id}`
  const keyStep = { path: `${under}/keys`, bearer: operatorKey, body: { name: 'Demo key' } }
  // Never looked for: of a key that exists already nobody knows the text.
  progress.key ??= await ask('POST', baseUrl, keyStep)
  await remember()
  for (const account of accounts) {
    await make(account.provider_type, { path: `${under}/socials`, bearer: operatorKey, body: account })
  }
  await make('label', { path: '/labels', bearer: progress.key.key ?? '', body: { title: 'Demo' } })

  const demo = demoOf(progress)
  if (!demo) throw new Error('it came out incomplete')
  return demo
}

const accounts = [
  { provider_type: 'bluesky', display_name: 'Demo on Bluesky', sandbox: true },
  { provider_type: 'mastodon', display_name: 'Demo on Mastodon', sandbox: true },
]

async function readProgress(folder: string): Promise<Progress | undefined> {
  const text = await readKept(folder, file)
  return text ? JSON.parse(text) : undefined
}

function demoOf(progress: Progress): Demo | undefined {
  // Made last: with it, everything is there.
  if (!progress.label || !progress.key?.key) return undefined
  return {
    key: progress.key.key,
    accountIds: accounts.flatMap(({ provider_type }) => progress[provider_type]?.id ?? []),
  }
}

async function findMade(baseUrl: string, step: Step): Promise<Made | undefined> {
  const { items } = await ask<{ items: (Made & Record<string, unknown>)[] }>('GET', baseUrl, step)
  return items.find((item) => Object.entries(step.body).every(([field, value]) => item[field] === value))
}

async function ask<Reply = Made>(
  method: 'GET' | 'POST',
  baseUrl: string,
  { path, bearer, body }: Step,
): Promise<Reply> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  const { data, message } = (await response.json()) as { data?: Reply; message?: string }
  if (!data) throw new Error(`${method} ${path} was answered ${response.status}: ${message}`)
  return data
}
