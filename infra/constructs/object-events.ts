import { Duration } from 'aws-cdk-lib'
import { Match, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Construct } from 'constructs'
import { DeadLetters } from './dead-letters.ts'
import type { ServiceFunction } from './service-function.ts'

export interface ObjectEventsProps {
  bucketName: string
  /** Only objects whose key begins so. */
  under: string
  worker: ServiceFunction
}

const retries = { retryAttempts: 2, maxEventAge: Duration.hours(1) }

/** Calls a function for every object that is created under a prefix: at least once, in no order, within a minute. */
export class ObjectEvents extends Construct {
  constructor(scope: Construct, id: string, { bucketName, under, worker }: ObjectEventsProps) {
    super(scope, id)
    const deadLetters = new DeadLetters(this, 'DeadLetters', { impact: worker.spec.impact })
    new Rule(this, 'Rule', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucketName] }, object: { key: Match.prefix(under) } },
      },
      targets: [new LambdaFunction(worker.lambda, { ...retries, deadLetterQueue: deadLetters })],
    })
    // The rule's retries end when Lambda has taken the event; what the function then fails at is Lambda's to repeat.
    worker.lambda.configureAsyncInvoke({ ...retries, onFailure: new SqsDestination(deadLetters) })
  }
}
