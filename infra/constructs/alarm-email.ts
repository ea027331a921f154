import { Stack } from 'aws-cdk-lib'
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'

/** Sends every alarm that exists below `scope` to this address, both when it rings and when it is over. */
export function emailAlarms(scope: Construct, address: string): void {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true })
  topic.addToResourcePolicy(letAlarmsPublish(topic))
  topic.addSubscription(new EmailSubscription(address))
  const action = new SnsAction(topic)
  for (const alarm of scope.node.findAll().filter((construct) => construct instanceof Alarm)) {
    alarm.addAlarmAction(action)
    alarm.addOkAction(action)
  }
}

// Enforcing TLS gives the topic a policy of its own, which takes the place of the one that lets the account publish.
const letAlarmsPublish = (topic: Topic): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
  })
