/** The Lambda behind a schedule. What it could not do, the next tick does. */
import { log } from '#shared/log.ts'
import type { Services } from '#shared/services.ts'
import { liveServices } from '#shared/services.ts'

export const onTick =
  (work: (services: Services) => Promise<void>, open: () => Services = liveServices) =>
  async (): Promise<void> => {
    try {
      await work(open())
    } catch (error) {
      log.error('tick failed', error as Error)
      throw error
    }
  }
