/**
 * What requests cost, exactly, and the most that the architecture page lets them cost: the same at 10^2, 10^4, 10^5 and
 * 10^6 posts of 1.5 KB. Reads are eventual ones, and the API key is read with each request. Who makes a request cheaper
 * lowers its number here.
 */
import type { Usage } from './wire.ts'

export interface Cost {
  reads: number
  transactions: number
  /** Writes of one item. */
  singles: number
  readUnits: number
  writeUnits: number
}

interface Budget {
  exactly: Cost
  /** `requests` are all of them together. */
  atMost?: Partial<Cost> & { requests?: number }
}

const reading = (reads: number, readUnits: number): Cost => ({
  reads,
  readUnits,
  transactions: 0,
  singles: 0,
  writeUnits: 0,
})

const list = { requests: 4, readUnits: 6 }
const filtered = { requests: 6, readUnits: 13 }
const create = { requests: 3, readUnits: 3, writeUnits: 16 }
const assigning = { reads: 4, transactions: 9 }

export const budgets = {
  // The key, the count, 21 posts.
  'GET /posts': { exactly: reading(3, 5), atMost: list },
  'GET /posts, a page in the middle': { exactly: reading(3, 5), atMost: list },
  // The key, the count, one query a label, 21 posts by their keys.
  'GET /posts?labels=a,b&status=draft': { exactly: reading(5, 12.5), atMost: filtered },
  'GET /posts?labels=a,b&status=draft, second page': { exactly: reading(5, 12.5), atMost: filtered },
  // As above, with the five posts that there are.
  'GET /posts?labels=rare&status=draft': { exactly: reading(4, 4), atMost: filtered },
  // Without a status: four classes of each label, all of them once more and consistently, so that no move is missed.
  'GET /posts?labels=a,b': { exactly: reading(19, 23.5) },
  'GET /posts?labels=a&socials=x&status=draft': { exactly: reading(5, 12.5) },
  'GET /posts/{id}': { exactly: reading(2, 1.5) },
  // Once an hour the use of the key is noted.
  'GET /posts/{id}, first use of the key in an hour': {
    exactly: { ...reading(2, 1.5), singles: 1, writeUnits: 1 },
  },
  'POST /posts, 2 labels, 2 accounts': {
    exactly: { ...reading(2, 3), transactions: 1, writeUnits: 16 },
    atMost: create,
  },
  'PATCH /posts/{id}, text': { exactly: { ...reading(3, 2), singles: 1, writeUnits: 2 } },
  // The post 4, five rows out of the drafts and five into the queued ones 20, the index 1.
  'PATCH /posts/{id}, to scheduled': { exactly: { ...reading(3, 2), transactions: 1, writeUnits: 25 } },
  'DELETE /posts/{id}, draft': { exactly: { ...reading(2, 1.5), transactions: 1, writeUnits: 20 } },
  // Read: the key, the slots, what is taken, 100 posts. The lease is taken and given back. A post is 8 writes, 19 units.
  'assign-next, 1 label, 1 account each, 100 taken': {
    exactly: { ...reading(4, 58.5), transactions: 9, singles: 2, writeUnits: 1_902 },
    atMost: assigning,
  },
  'assign-next, 1 label, 1 account each, 1,000 taken': {
    exactly: { ...reading(4, 82.5), transactions: 9, singles: 2, writeUnits: 1_902 },
    atMost: assigning,
  },
  // A post is 12 writes, so that 8 of them fit into a transaction: nine cannot hold 100.
  'assign-next, 2 labels, 2 accounts each, 1,000 taken': {
    exactly: { ...reading(4, 82.5), transactions: 13, singles: 2, writeUnits: 2_702 },
  },
} as const satisfies Record<string, Budget>

export type Request = keyof typeof budgets

const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query'])

export function costOf({ requests, operations, readUnits, writeUnits }: Usage): Cost {
  const counts = Object.entries(operations)
  const reads = counts.reduce((sum, [name, times]) => sum + (readOperations.has(name) ? times : 0), 0)
  const transactions = operations['TransactWriteItems'] ?? 0
  return { reads, transactions, singles: requests - reads - transactions, readUnits, writeUnits }
}

/** In what the cost is not what it must be; empty when it is met exactly. */
export function differences(request: Request, cost: Cost): string[] {
  const { exactly, atMost = {} }: Budget = budgets[request]
  const measured = { ...cost, requests: cost.reads + cost.transactions + cost.singles }
  const compare = (to: Partial<typeof measured>, differs: (is: number, wanted: number) => boolean) =>
    Object.entries(to).flatMap(([name, wanted]) => {
      const is = measured[name as keyof typeof measured]
      return differs(is, wanted) ? [{ name, is, wanted }] : []
    })
  return [
    ...compare(exactly, (is, wanted) => is !== wanted).map(
      ({ name, is, wanted }) => `${name} ${is}, not ${wanted}`,
    ),
    ...compare(atMost, (is, most) => is > most).map(
      ({ name, is, wanted }) => `${name} ${is}, at most ${wanted}`,
    ),
  ]
}

/** The architecture's limits in words. */
export const limitsOf = (request: Request): string =>
  Object.entries((budgets[request] as Budget).atMost ?? {})
    .map(([name, limit]) => `${name} ≤ ${limit}`)
    .join(', ')
