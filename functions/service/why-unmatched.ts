import { badRequest, Problem } from '#shared/domain/problem.ts'
import type { PathItem } from './description.ts'
import { methods } from './description.ts'

/** Paths whose ID is empty, which the public document has messages for. */
const missingIds: Record<string, [code: string, message: string]> = {
  '/plan/slots/': ['MISSING_SLOT_ID', 'Missing slot ID'],
  '/socials/': ['MISSING_SOCIAL_ID', 'Missing social ID'],
}

/** Why no endpoint answers: the ID is missing (400), another method is meant (405), or there is no such path (404). */
export function whyUnmatched(
  { method, path }: { method: string; path: string },
  known: Record<string, PathItem>,
): Problem {
  const missing = Object.hasOwn(missingIds, path) ? missingIds[path] : undefined
  if (missing) return badRequest(...missing)
  const allowed = methodsOf(path, known)
  if (allowed.length === 0 || allowed.includes(method)) return new Problem(404, 'NOT_FOUND', 'Not found')
  const headers = { allow: allowed.join(', ') }
  return new Problem(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', { headers })
}

/** Of every path that matches: `/media/uploads` is an upload's path and, to the gateway, a media item's as well. */
function methodsOf(path: string, known: Record<string, PathItem>): string[] {
  const matching = Object.entries(known).filter(([template, item]) => leadsTo(template, path, item))
  const allowed = methods.filter((method) => matching.some(([, item]) => method in item))
  return allowed.map((method) => method.toUpperCase()).toSorted()
}

/** The gateway has decoded the path: a parameter is one segment that is not empty, a greedy one all that is left. */
function leadsTo(template: string, path: string, { parameters = [] }: PathItem): boolean {
  const segments = path.split('/')
  for (const [place, part] of template.split('/').entries()) {
    const parameter = parameters.find(({ name }) => part === `{${name}}`)
    if (parameter?.['x-greedy']) return segments.slice(place).join('/') !== ''
    if (parameter ? !segments[place] : segments[place] !== part) return false
  }
  return segments.length === template.split('/').length
}
