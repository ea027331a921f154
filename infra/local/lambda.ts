import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import { accountId, region } from './aws-clients.ts'

/** What a door exports as `handler`. */
export type Handler = (event: never, context: Context) => Promise<unknown>

/** Calls a function with an event, as Lambda does; rejects when it throws or outstays its time-out. */
export type Call = (event: object) => Promise<unknown>

export interface LambdaOptions {
  name: string
  timeoutSeconds: number
  memoryMb: number
  /** Hears of what a function threw, as Lambda's own log does. */
  onFailure?: (functionName: string, error: unknown) => void
}

/** Plays the Lambda service around one handler. */
export function lambda(handler: Handler, { onFailure, ...options }: LambdaOptions): Call {
  return async (event) => {
    const deadline = Date.now() + options.timeoutSeconds * 1000
    const timedOut = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => timedOut.reject(new Error(`Task timed out after ${options.timeoutSeconds}.00 seconds`)),
      options.timeoutSeconds * 1000,
    )
    try {
      return await Promise.race([handler(event as never, context(options, deadline)), timedOut.promise])
    } catch (error) {
      onFailure?.(options.name, error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

const context = ({ name, memoryMb }: LambdaOptions, deadline: number): Context => ({
  awsRequestId: randomUUID(),
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:${region}:${accountId}:function:${name}`,
  memoryLimitInMB: String(memoryMb),
  logGroupName: `/aws/lambda/${name}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  done: () => {},
  fail: () => {},
  succeed: () => {},
})
