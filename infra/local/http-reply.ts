import type { ServerResponse } from 'node:http'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** Sends what a door returned. A result without a status is the body of a 200, as payload 2.0 has it. */
export function sendResult(response: ServerResponse, result: unknown): void {
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded } = structured(result)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value))
  if (cookies.length) response.setHeader('set-cookie', cookies)
  response.writeHead(statusCode ?? 200).end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
}

function structured(result: unknown): APIGatewayProxyStructuredResultV2 {
  if (typeof result === 'object' && result && 'statusCode' in result) {
    return result as APIGatewayProxyStructuredResultV2
  }
  const body = typeof result === 'string' ? result : JSON.stringify(result)
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body }
}

/** An answer of the gateway's own; it ends the connection, because the request may not have been read. */
export function sendMessage(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ message }))
}
