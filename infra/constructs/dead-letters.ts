import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { accept } from './accept.ts'
import { ImpactAlarm } from './impact-alarm.ts'

/** Where work ends that failed again and again: kept for 14 days, and an alarm from the first message on. */
export class DeadLetters extends Queue {
  constructor(scope: Construct, id: string, { impact }: { impact: string }) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    const metric = this.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' })
    new ImpactAlarm(this, 'Alarm', { metric, impact })
    accept(this, {
      'AwsSolutions-SQS3':
        'This is a dead-letter queue itself: the rule looks only for queues that feed it, not for event rules, functions and streams.',
    })
  }
}
