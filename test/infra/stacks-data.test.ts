import { expect, test } from 'vitest'
import { synthesize } from './synthesized.ts'

const { data } = synthesize()

test('the table outlives its stack, refuses deletion and can be restored to any second', () => {
  const table = data.one('AWS::DynamoDB::GlobalTable')
  expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  expect(table.Properties.Replicas).toEqual([
    expect.objectContaining({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  ])
})

test('the table is paid by the request, streams its changes and has one sparse index of keys', () => {
  expect(data.one('AWS::DynamoDB::GlobalTable').Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    GlobalSecondaryIndexes: [{ IndexName: 'due', Projection: { ProjectionType: 'KEYS_ONLY' } }],
  })
})

test('the bucket outlives its stack and is closed to the public and to plain HTTP', () => {
  const bucket = data.one('AWS::S3::Bucket')
  expect(bucket).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  expect(bucket.Properties.PublicAccessBlockConfiguration).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  })
  expect(data.one('AWS::S3::BucketPolicy').Properties.PolicyDocument.Statement).toEqual([
    expect.objectContaining({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  ])
})

test('the bucket tells EventBridge, lets browsers put, and clears only what was never completed', () => {
  const { Properties } = data.one('AWS::S3::Bucket')
  expect(Properties.NotificationConfiguration).toEqual({
    EventBridgeConfiguration: { EventBridgeEnabled: true },
  })
  expect(Properties.CorsConfiguration.CorsRules).toMatchObject([{ AllowedMethods: ['PUT'] }])
  expect(Properties.LifecycleConfiguration.Rules).toEqual([
    { Prefix: 'uploads/', ExpirationInDays: 2, Status: 'Enabled' },
    { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
  ])
})

test('the key to the account credentials outlives its stack and rotates', () => {
  expect(data.one('AWS::KMS::Key')).toMatchObject({
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: { EnableKeyRotation: true },
  })
})

test('the operator key is made by AWS, long and fit for a header, and stands in no template', () => {
  expect(data.one('AWS::SecretsManager::Secret').Properties).toMatchObject({
    GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
  })
  expect(data.one('AWS::SecretsManager::Secret').Properties).not.toHaveProperty('SecretString')
})

test('what the service imports is exported by name, whether or not it is imported today', () => {
  expect(Object.values(data.outputs)).toEqual(
    [
      'table-name',
      'table-arn',
      'stream-arn',
      'bucket-name',
      'bucket-arn',
      'credentials-key-arn',
      'operator-key-arn',
    ].map((name) => expect.objectContaining({ Export: { Name: `ph-data-${name}` } })),
  )
})

test.each([true, false])('termination protection follows the stage: %s', (terminationProtection) => {
  const { data, service } = synthesize({ terminationProtection })
  expect(data.stack.terminationProtection).toBe(terminationProtection)
  expect(service.stack.terminationProtection).toBe(terminationProtection)
})
