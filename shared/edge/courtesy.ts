import { log } from '#shared/log.ts'

/** Does what a request does not depend on: should it fail, the log says so, and the request goes on. */
export async function courtesy(failure: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.warn(failure, { error: error as Error })
  }
}
