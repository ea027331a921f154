import { envelope } from '#shared/edge/api.ts'
import { loadDescription } from './description.ts'
import { whyUnmatched } from './why-unmatched.ts'

/** The Lambda behind the HTTP API's `$default`: whatever no route matched is refused here, in our own words. */
export const handler = envelope(async ({ rawPath, requestContext }) => {
  const { paths } = await loadDescription()
  throw whyUnmatched({ method: requestContext.http.method, path: rawPath }, paths)
})
