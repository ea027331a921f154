import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { ImpactAlarm } from './impact-alarm.ts'
import type { ServiceFunction } from './service-function.ts'

/** A function URL that anybody may call: who may do what is decided by the secret in its path. */
export class PublicUrl extends Construct {
  /** With a slash at its end. */
  readonly url: string

  constructor(scope: Construct, id: string, door: ServiceFunction) {
    super(scope, id)
    // Adds both permissions that AWS asks for since October 2025: InvokeFunctionUrl, and InvokeFunction by URL only.
    this.url = door.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url
    new ImpactAlarm(this, 'Alarm', {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Url5xxCount',
        dimensionsMap: { FunctionName: door.lambda.functionName },
        statistic: 'Sum',
      }),
      impact: door.spec.impact,
    })
  }
}
