/** CDK's newer behaviours that matter here, switched on for the command line and for the tests alike. */
export const featureFlags = {
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
  '@aws-cdk/aws-apigateway:logGroupDestinationArnWithoutWildcard': true,
  '@aws-cdk/core:checkSecretUsage': true,
}
