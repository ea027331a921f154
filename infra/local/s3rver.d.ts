/** What is used of s3rver, which has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:http'

  interface S3rverOptions {
    address: string
    port: number
    /** Holds the buckets. */
    directory: string
    silent: boolean
    vhostBuckets: boolean
  }

  export default class S3rver extends EventEmitter {
    constructor(options: S3rverOptions)
    httpServer: Server
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
