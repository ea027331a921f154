import { Duration, Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import { Construct } from 'constructs'
import type { ServiceFunction } from './service-function.ts'

export interface TickProps {
  worker: ServiceFunction
  everyMinutes: number
}

/** Calls a function at a steady pace, and rings when the calls stop. */
export class Tick extends Construct {
  constructor(scope: Construct, id: string, { worker, everyMinutes }: TickProps) {
    super(scope, id)
    // No dead letters: a tick that is lost is made good by the next one, which looks three minutes ahead.
    new Schedule(this, 'Schedule', {
      schedule: ScheduleExpression.rate(Duration.minutes(everyMinutes)),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(worker.lambda, {
        role: mayInvoke(this, worker),
        retryAttempts: 1,
        maxEventAge: Duration.seconds(60),
      }),
    })
    // Scheduler hands the call over; from there on Lambda would try it twice again, for up to six hours.
    worker.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(60) })
    new Alarm(this, 'Silence', {
      metric: worker.lambda.metricInvocations({ period: Duration.minutes(5 * everyMinutes) }),
      alarmDescription: worker.spec.impact,
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.BREACHING,
    })
  }
}

/** For the function alone: the role that CDK would make covers its versions too. */
function mayInvoke(scope: Construct, { lambda }: ServiceFunction): IRole {
  const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } }
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com').withConditions(ofThisAccount),
  })
  role.addToPolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambda.functionArn] }),
  )
  return role.withoutPolicyUpdates()
}
