import { Duration } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Construct } from 'constructs'
import type { Waker } from '../functions.ts'
import * as resources from '../resources.ts'
import type { Holdings } from '../stacks/data-stack.ts'
import { acceptWildcard } from './accept.ts'
import { DeadLetters } from './dead-letters.ts'
import type { ServiceFunction } from './service-function.ts'

export interface TableChangesProps {
  holdings: Holdings
  change: Extract<Waker, { kind: 'stream' }>
  worker: ServiceFunction
}

/** Calls a function for changes of the table, in the order of each item. DynamoDB serves two such readers, not more. */
export class TableChanges extends Construct {
  constructor(scope: Construct, id: string, { holdings, change, worker }: TableChangesProps) {
    super(scope, id)
    const deadLetters = new DeadLetters(this, 'DeadLetters', { impact: worker.spec.impact })
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker.lambda,
      eventSourceArn: holdings.streamArn,
      // Not LATEST, which would skip what changes while a deployment puts the mapping in place.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(pattern(change))],
      batchSize: 10,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 5,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(deadLetters),
    })
    // Lambda checks the permissions when it makes the mapping.
    mapping.node.addDependency(worker.lambda.role ?? worker)
    mayRead(worker, holdings)
  }
}

const pattern = ({ event, sortKeyPrefix }: TableChangesProps['change']) => ({
  eventName: FilterRule.isEqual(event),
  dynamodb: { Keys: { [resources.table.sortKey]: { S: FilterRule.beginsWith(sortKeyPrefix) } } },
})

function mayRead(worker: ServiceFunction, { streamArn, tableArn }: Holdings): void {
  const streams = `${tableArn}/stream/*`
  const read = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']
  worker.lambda.addToRolePolicy(new PolicyStatement({ actions: read, resources: [streamArn] }))
  worker.lambda.addToRolePolicy(
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: [streams] }),
  )
  acceptWildcard(worker, streams, "Listing a table's streams cannot be granted for one of them alone.")
}
