import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'

export interface ImpactAlarmProps {
  metric: IMetric
  /** What a user suffers while it rings: one sentence, shown as the alarm's description. */
  impact: string
  /** Rings when the metric is this or more; 1 by default. */
  atLeast?: number
}

/** An alarm that says what a user suffers. No data means that nothing happened, so it stays quiet. */
export class ImpactAlarm extends Alarm {
  constructor(scope: Construct, id: string, { metric, impact, atLeast = 1 }: ImpactAlarmProps) {
    super(scope, id, {
      metric,
      alarmDescription: impact,
      threshold: atLeast,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }
}
