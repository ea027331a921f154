/** An endpoint in four facts: method and path, who may call it, what goes in, and what it does. */
import type * as v from 'valibot'
import type { ApiKey } from '#shared/domain/api-key.ts'
import type { OwnerCode } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import type { Services } from '#shared/services.ts'
import type { Reply } from './reply.ts'

/** Who calls. */
export interface Caller {
  key: ApiKey
  owner: OwnerCode
}

/** `open`: anybody · `key`: an owner's API key · `operator`: the deployment's operator key. */
export type Access = 'open' | 'key' | 'operator'

type Parsed<Schema extends v.GenericSchema | undefined> = Schema extends v.GenericSchema
  ? v.InferOutput<Schema>
  : undefined

export interface Request<
  Who extends Access,
  Query extends v.GenericSchema | undefined,
  Body extends v.GenericSchema | undefined,
> {
  caller: Who extends 'key' ? Caller : undefined
  /** Path parameters, decoded; '' for those that the path has not. */
  params: Record<string, string>
  query: Parsed<Query>
  body: Parsed<Body>
  /** When the request arrived. */
  now: Instant
}

/** A refusal that an endpoint documents: its status, and when it happens. */
export interface Refusal {
  status: number
  when: string
  /** The messages that it may carry, where they are fixed. */
  messages?: readonly string[]
}

export interface RouteSpec<
  Who extends Access,
  Query extends v.GenericSchema | undefined,
  Body extends v.GenericSchema | undefined,
> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As API Gateway has it: `/labels/{id}`, greedy `/media/{id+}`. */
  path: string
  access: Who
  /** One line for the reference: what a caller gets done. */
  summary: string
  /** More for the reference, where the line does not say it all. Markdown. */
  description?: string
  query?: Query
  body?: Body
  /** Makes one body of what a client may send: legacy names, for example. */
  beforeParsing?: (body: Record<string, unknown>) => Record<string, unknown>
  /** No body at all is as good as an empty object. */
  bodyOptional?: boolean
  /** A body without any field of the schema is refused: PATCH. */
  partial?: boolean
  /** The payload; for the reference, and checked by the tests. Absent: a document. */
  reply?: v.GenericSchema
  /** 201 for what creates; for the reference. */
  status?: 200 | 201
  /** Beyond those that every endpoint has. */
  refusals?: readonly Refusal[]
  examples?: { body?: unknown; reply?: unknown }
  handle(request: Request<Who, Query, Body>, services: Services): Promise<Reply>
}

/** Any endpoint, when its types do not matter any more. */
export type Route = Omit<
  RouteSpec<Access, v.GenericSchema | undefined, v.GenericSchema | undefined>,
  'handle'
> & {
  handle(request: never, services: Services): Promise<Reply>
}

/** Defines an endpoint. */
export const route = <
  Who extends Access,
  Query extends v.GenericSchema | undefined = undefined,
  Body extends v.GenericSchema | undefined = undefined,
>(
  spec: RouteSpec<Who, Query, Body>,
): Route => spec

/** The route's name at the gateway: `GET /labels/{id}`. */
export const routeKeyOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`
