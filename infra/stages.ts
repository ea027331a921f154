/** What differs between the deployments of one team, as data. Choose one with `npx cdk deploy -c stage=prod`. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { FunctionName } from './functions.ts'

export interface Stage {
  /** The beginning of every name that the deployment gives: stacks, functions, log groups. */
  prefix: string
  /** What the whole HTTP API takes before it answers 429. */
  throttle: { requestsPerSecond: number; burst: number }
  logLevel: 'DEBUG' | 'INFO'
  logRetention: RetentionDays
  /** Does AWS refuse to delete the stacks? The data itself is retained in every stage. */
  terminationProtection: boolean
  /** Messages of one queue that are worked on at once (2 to 1,000), so that a burst leaves room for the API. */
  queueConcurrency: number
  /**
   * Executions set aside for a function, which are also its limit. Empty by default: a new account may have 10 in
   * all, and AWS refuses to set aside any of the last 10 (or 100, in accounts with more).
   */
  reservedConcurrency: Partial<Record<FunctionName, number>>
  /** False where an organisation forbids public function URLs: trigger URLs are then paths of the HTTP API. */
  functionUrls: boolean
  /** Every alarm is sent there, once the owner of the address has confirmed the subscription. */
  alarmEmail?: string
}

export const stages = {
  dev: {
    prefix: 'posthaste-dev',
    throttle: { requestsPerSecond: 20, burst: 40 },
    logLevel: 'DEBUG',
    logRetention: RetentionDays.ONE_WEEK,
    terminationProtection: false,
    queueConcurrency: 2,
    reservedConcurrency: {},
    functionUrls: true,
  },
  prod: {
    prefix: 'posthaste-prod',
    throttle: { requestsPerSecond: 100, burst: 200 },
    logLevel: 'INFO',
    logRetention: RetentionDays.THREE_MONTHS,
    terminationProtection: true,
    queueConcurrency: 20,
    reservedConcurrency: {},
    functionUrls: true,
  },
} satisfies Record<string, Stage>

/** The stage of that name, or undefined. */
export const findStage = (name: string): Stage | undefined =>
  Object.hasOwn(stages, name) ? stages[name as keyof typeof stages] : undefined
