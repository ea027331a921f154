/** Who is calling? API keys for owners, the operator key for the application. */
import { hasSecret, parseKeyText, sameDigest, sha256 } from '#shared/domain/api-key.ts'
import { ownerCodeOf } from '#shared/domain/id.ts'
import type { Instant } from '#shared/domain/instant.ts'
import { unauthorized } from '#shared/domain/problem.ts'
import type { Services } from '#shared/services.ts'
import type { Access, Caller } from './route.ts'

/** The caller that the Authorization header proves; 401, always in the same words, when it proves none. */
export async function authenticate(
  access: Access,
  authorization: string | undefined,
  { services, now }: { services: Services; now: Instant },
): Promise<Caller | undefined> {
  if (access === 'open') return undefined
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (!token) throw unauthorized()
  if (access === 'key') return callerOf(token, services, now)
  if (!sameDigest(sha256(token), sha256(await services.operatorKey()))) throw unauthorized()
  return undefined
}

async function callerOf(token: string, { apiKeys }: Services, now: Instant): Promise<Caller> {
  const parts = parseKeyText(token)
  const key = parts && (await apiKeys.find(parts.id, now))
  if (!key || !hasSecret(key, parts.secret)) throw unauthorized()
  return { key, owner: ownerCodeOf(key.owner_id) }
}
