/** What an endpoint answers, before it is an HTTP response. */

export type Reply<Data = unknown> =
  | { kind: 'data'; status: number; data: Data; headers?: Record<string, string> }
  /** A document that is not in the envelope: the OpenAPI description, the reference page. */
  | { kind: 'document'; contentType: string; body: string; headers?: Record<string, string> }

/** 200 with the payload. */
export const ok = <Data>(data: Data): Reply<Data> => ({ kind: 'data', status: 200, data })

/** 201 with what was created. */
export const created = <Data>(data: Data): Reply<Data> => ({ kind: 'data', status: 201, data })

/** 200 with a document as it is. */
export const document = (
  contentType: string,
  body: string,
  headers: Record<string, string> = {},
): Reply<never> => ({
  kind: 'document',
  contentType,
  body,
  headers,
})
