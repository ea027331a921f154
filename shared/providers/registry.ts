/** Which adapter publishes for an account. */
import type { Social } from '#shared/domain/social.ts'
import type { Provider } from './provider.ts'
import { ProviderProblem } from './provider.ts'
import type { SandboxNetwork } from './sandbox.ts'
import { sandbox } from './sandbox.ts'

/** The account's network; sandbox accounts of every provider type have the built-in one. */
export function providerFor(social: Social, config: { sandbox: SandboxNetwork }): Provider {
  if (social.sandbox) return sandbox(config.sandbox)
  throw new ProviderProblem(
    'permanent',
    'NETWORK_NOT_AVAILABLE',
    `This deployment cannot publish to ${social.provider_type} yet`,
  )
}
