/** Refusals: what a caller did that cannot be done, with the answer they get. The edge turns them into replies. */

/** One field that was not acceptable, and why, in words for the caller. */
export interface FieldError {
  field: string
  message: string
}

/** Ends a request: thrown anywhere below the edge, answered there with `status` and `message`. */
export class Problem extends Error {
  readonly status: number
  /** Stable, for programs: SNAKE_CASE. */
  readonly code: string
  readonly errors: FieldError[]
  /** Headers that the answer carries: `allow`, `retry-after`. */
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    message: string,
    { errors = [], headers = {} }: { errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.errors = errors
    this.headers = headers
  }
}

/** 400 for fields that are not acceptable; the message is the first one's. */
export const invalid = (errors: [FieldError, ...FieldError[]]): Problem =>
  new Problem(400, 'VALIDATION_FAILED', errors[0].message, { errors })

/** 400 for one field. */
export const invalidField = (field: string, message: string): Problem => invalid([{ field, message }])

/** 400 for a request that is wrong as a whole. */
export const badRequest = (code: string, message: string): Problem => new Problem(400, code, message)

/** 401, in the same words for every way in which a credential can be wrong. */
export const unauthorized = (): Problem => new Problem(401, 'UNAUTHORIZED', 'Unauthorized')

/** 403 for what exists, but belongs to somebody else. */
export const accessDenied = (): Problem => new Problem(403, 'ACCESS_DENIED', 'Access denied')

/** 404 for what does not exist, by the name that callers know it by: `Label not found`. */
export const notFound = (thing: string): Problem =>
  new Problem(404, `${thing.toUpperCase()}_NOT_FOUND`, `${thing} not found`)

/** 409 for a state that does not admit the request now. */
export const conflict = (code: string, message: string): Problem => new Problem(409, code, message)
