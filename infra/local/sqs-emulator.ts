import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { BuildAppOptions } from 'fauxqs'

/**
 * Starts fauxqs with its queues in `folder`. Put together from its parts, because its own start listens on
 * every network interface.
 */
export async function startSqs(folder: string, port: number): Promise<{ stop(): Promise<void> }> {
  const { buildApp } = await import('fauxqs')
  const [{ PersistenceManager }, { SqsStore }, { SnsStore }] = await Promise.all([
    part('persistence.js'),
    part('sqs/sqsStore.js'),
    part('sns/snsStore.js'),
  ])

  const sqsStore = new SqsStore()
  const persistence = new PersistenceManager(folder)
  // Whoever had received these messages is gone: why wait until they are visible by themselves?
  persistence.db.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL')
  persistence.loadSqsAndSns(sqsStore, new SnsStore())
  sqsStore.persistence = persistence
  for (const queue of sqsStore.allQueues()) queue.persistence = persistence

  const app = buildApp({ logger: false, stores: { sqsStore } as BuildAppOptions['stores'] })
  await app.listen({ port, host: '127.0.0.1' })
  return {
    async stop() {
      await app.close()
      persistence.close()
    },
  }
}

// Not among the package's exports, so addressed by file.
const part = (path: string) =>
  import(join(dirname(findPackageJSON('fauxqs', import.meta.url) ?? ''), 'dist', path))
