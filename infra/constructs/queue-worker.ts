import { Duration } from 'aws-cdk-lib'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { type QueueSpec, visibilityTimeoutSeconds } from '../resources.ts'
import { DeadLetters } from './dead-letters.ts'
import { ImpactAlarm } from './impact-alarm.ts'
import type { ServiceFunction } from './service-function.ts'

export interface QueueWorkerProps {
  queue: QueueSpec
  worker: ServiceFunction
  batchSize: number
  /** Messages that are worked on at once. */
  maxConcurrency: number
}

/** Messages are delayed by 15 minutes at most, so an older one waits for a worker that does not come. */
const tooLong = Duration.minutes(30)

/** A queue, the function that empties it, and the dead-letter queue for what it could not do. */
export class QueueWorker extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { queue, worker, batchSize, maxConcurrency }: QueueWorkerProps) {
    super(scope, id)
    const deadLetters = new DeadLetters(this, 'DeadLetters', { impact: queue.impact })
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds(worker.spec.timeoutSeconds)),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: queue.maxReceives },
    })
    worker.lambda.addEventSource(
      new SqsEventSource(this.queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }),
    )
    new ImpactAlarm(this, 'Stuck', {
      metric: this.queue.metricApproximateAgeOfOldestMessage(),
      atLeast: tooLong.toSeconds(),
      impact: worker.spec.impact,
    })
  }
}
