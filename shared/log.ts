/** Structured logs. Never keys, tokens, bodies, people's texts or trigger IDs: only what names a request or an item. */
import { Logger } from '@aws-lambda-powertools/logger'
import { readEnv } from './env.ts'

const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const
const wanted = levels.find((level) => level === readEnv().logLevel.toUpperCase())

export const log = new Logger({ serviceName: 'posthaste', logLevel: wanted ?? 'INFO' })
