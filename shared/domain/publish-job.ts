/** What travels in the publish queue. A job says only what to look at: what is to be done, the table says. */
import * as v from 'valibot'
import type { Id } from './id.ts'
import { isId } from './id.ts'

const id = <Kind extends 'post' | 'social'>(kind: Kind) => v.custom<Id<Kind>>((text) => isId(kind, text))

/** `hops`: how often it went from queue to queue since the sweep sent it. */
const hops = v.optional(v.number(), 0)

export const PublishJob = v.variant('kind', [
  v.object({ kind: v.literal('post'), post: id('post'), hops }),
  v.object({ kind: v.literal('publication'), post: id('post'), social: id('social'), hops }),
])
export type PublishJob = v.InferOutput<typeof PublishJob>
