/**
 * A world for one test file: the services on the emulators, with a table and queue of its own and a clock that the
 * test holds. Tests enter at the doors and look at replies and at what is stored.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, SQSEvent } from 'aws-lambda'
import { inject } from 'vitest'
import type { Message } from '#shared/aws/queue.ts'
import type { Table } from '#shared/aws/table.ts'
import { openTable } from '#shared/aws/table.ts'
import { PublishJob } from '#shared/domain/publish-job.ts'
import { api } from '#shared/edge/api.ts'
import { onQueue } from '#shared/edge/on-queue.ts'
import { onTick } from '#shared/edge/on-tick.ts'
import type { Route } from '#shared/edge/route.ts'
import { readEnv } from '#shared/env.ts'
import type { Services } from '#shared/services.ts'
import { openServices } from '#shared/services.ts'
import { dispatchDue } from '../../functions/publisher/dispatch-due.ts'
import { doPublishJob } from '../../functions/publisher/do-publish-job.ts'
import { createTable } from '../../infra/local/provision.ts'
import { type CallOptions, httpEvent } from './event.ts'
import { heldClock, heldQueue } from './held.ts'

export const operatorKey = 'operator-key-of-the-tests'

export interface HttpReply {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: replies are what the tests look into.
  body: any
}

export type World = Awaited<ReturnType<typeof openWorld>>

interface WorldOptions {
  /** The routes of the doors that the test enters. */
  routes?: Route[]
  now?: string
  /** Puts something between the stores and the table: faults, delays, counters. */
  around?: (table: Table) => Table
}

export async function openWorld({
  routes = [],
  now = '2026-03-01T00:00:00Z',
  around = (t) => t,
}: WorldOptions = {}) {
  const endpoints = inject('endpoints')
  const tableName = `test-${randomBytes(8).toString('hex')}`
  await createTable(endpoints.dynamodb, tableName)

  const clock = heldClock(now)
  const queue = heldQueue(clock)
  const env = {
    ...readEnv({}),
    tableName,
    endpoints,
    operatorKey,
    localCredentialsKey: randomBytes(32).toString('base64'),
  }
  const table = openTable({ tableName, endpoint: endpoints.dynamodb, random: Math.random, pause })
  const open = (): Services => openServices(env, { clock, table: around(table), publishQueue: queue })
  const services = open()
  const handler = api(routes, () => services)

  async function call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<HttpReply> {
    const response = await handler(httpEvent(routes, { method, path, body, ...options }), {} as Context)
    const text = response.body ?? ''
    const headers = (response.headers ?? {}) as Record<string, string>
    const isJson = headers['content-type']?.startsWith('application/json')
    return { status: response.statusCode ?? 0, headers, body: isJson ? JSON.parse(text) : text }
  }

  const runJob = onQueue(PublishJob, doPublishJob, () => services)
  const tick = onTick(dispatchDue, () => services)

  /** Delivers every job that is due, and those that these send, until none is. */
  async function deliverJobs(): Promise<void> {
    for (let due = queue.take(); due.length > 0; due = queue.take()) {
      const { batchItemFailures } = await runJob(sqsEvent(due), {} as Context)
      if (batchItemFailures.length > 0) throw new Error('A publish job failed')
    }
  }

  return {
    services,
    table,
    tableName,
    clock,
    queue,
    /** Services of another process on the same table and clock. */
    openAnother: open,
    call,
    operator: (method: string, path: string, body?: unknown) =>
      call(method, path, body, { key: operatorKey }),
    tick,
    deliverJobs,
    /** Lets time pass in steps, with a tick and the jobs of each step. */
    async pass(seconds: number, step = 1): Promise<void> {
      for (let gone = 0; gone < seconds; gone += step) {
        clock.advance(Math.min(step, seconds - gone))
        await tick()
        await deliverJobs()
      }
    },
  }
}

const sqsEvent = (messages: Message[]): SQSEvent =>
  ({
    Records: messages.map(({ body }, index) => ({
      messageId: `message-${index}`,
      eventSource: 'aws:sqs',
      body: JSON.stringify(body),
    })),
  }) as SQSEvent
