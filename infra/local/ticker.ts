import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountId, region } from './aws-clients.ts'
import type { Call } from './lambda.ts'

/**
 * Calls a function again and again, a second after its last call has ended: more often than on AWS, so that one
 * who tries things out need not wait for the next minute. `stop` waits for the call under way.
 */
export function startTicking(call: Call, pauseMs = 1000): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const tick = async () => {
    while (!stopping.signal.aborted) {
      await call(tickEvent()).catch(() => undefined)
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ticking = tick()
  return {
    async stop() {
      stopping.abort()
      await ticking
    },
  }
}

/** What EventBridge Scheduler sends when a schedule has no input of its own. */
const tickEvent = () => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  account: accountId,
  time: new Date().toISOString().replace(/\.\d+/, ''),
  region,
  resources: [`arn:aws:scheduler:${region}:${accountId}:schedule/default/local`],
  detail: '{}',
})
