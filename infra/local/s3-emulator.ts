import type { S3Event } from 'aws-lambda'

/** What s3rver tells about an object that was put, copied or assembled. */
export type ObjectRecord = S3Event['Records'][number]

/** Starts s3rver with its objects in `folder`; `onCreated` hears of every object that was written. */
export async function startS3(folder: string, port: number) {
  const { default: S3rver } = await import('@20minutes/s3rver')
  const server = new S3rver({
    address: '127.0.0.1',
    port,
    directory: folder,
    silent: true,
    vhostBuckets: false,
  })
  await server.run()

  return {
    onCreated(listener: (record: ObjectRecord) => void) {
      server.on('event', (event: S3Event) => {
        event.Records.filter((record) => record.eventName.startsWith('ObjectCreated:')).forEach(listener)
      })
    },
    async stop() {
      const closed = server.close()
      server.httpServer.closeAllConnections()
      await closed
    },
  }
}
