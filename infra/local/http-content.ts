import type { IncomingMessage } from 'node:http'

/** What API Gateway lets through. */
const maxBytes = 10 * 1024 * 1024

/** The whole body, or undefined as soon as it is known to be larger than the gateway takes. */
export async function readContent(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) resolve(undefined)
    else chunks.push(chunk)
  })
  request.on('end', () => resolve(Buffer.concat(chunks)))
  request.on('error', reject)
  request.on('close', () => reject(new Error('the caller went away')))
  return promise
}
