import { Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { type FunctionSpec, functions } from '../../infra/functions.ts'
import { alarmsOn, functionNamed, list, synthesize, words } from './synthesized.ts'

const { app, service } = synthesize()
const map = Object.entries<FunctionSpec>(functions)

describe.each(map)('the function %s', (name, spec) => {
  test('may do exactly what the map says', () => {
    expect(granted(name)).toEqual(mapped(name, spec).sort())
  })

  test('is told only of what it may touch', () => {
    const { variables } = functionNamed(service, name)
    const told = Object.keys(variables).filter((variable) => !forEverybody.has(variable))
    expect(told.sort()).toEqual(
      [
        ...(spec.table ? ['TABLE_NAME'] : []),
        ...(spec.bucket ? ['BUCKET_NAME'] : []),
        ...(spec.sendsTo ?? []).map((queue) => `${queue.toUpperCase()}_QUEUE_URL`),
        ...(spec.operatorKey ? ['OPERATOR_KEY_SECRET'] : []),
        ...(spec.credentials ? ['CREDENTIALS_KEY_ID'] : []),
      ].sort(),
    )
  })

  test('runs its door on Node 24 and ARM, with the time and memory of the map', () => {
    expect(functionNamed(service, name).properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: `${spec.entry}.handler`,
      Timeout: spec.timeoutSeconds,
      MemorySize: spec.memoryMb,
    })
    expect(functionNamed(service, name).properties).not.toHaveProperty('TracingConfig')
  })

  test('has a log that is not kept for ever, and an alarm that says what a user suffers', () => {
    expect(service.all('AWS::Logs::LogGroup').map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({ LogGroupName: `/aws/lambda/ph-${name}`, RetentionInDays: 90 }),
    )
    expect(alarmsOn(service, 'Errors').map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({
        AlarmDescription: spec.impact,
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionNamed(service, name).id } }],
      }),
    )
  })
})

describe('permissions', () => {
  test('nobody may scan the table, reach every resource, or use a managed policy', () => {
    const statements = service
      .all('AWS::IAM::Policy')
      .flatMap((each) => each.Properties.PolicyDocument.Statement)
    const everything = statements.flatMap((each) => [...list(each.Action), ...list(each.Resource).map(words)])
    expect(everything.filter((each) => /^\*$|:\*$|Scan|PartiQL/.test(each))).toEqual([])
    for (const role of service.all('AWS::IAM::Role'))
      expect(role.Properties).not.toHaveProperty('ManagedPolicyArns')
  })

  test('cdk-nag finds nothing, and what was accepted has a reason', () => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([])
    const accepted = app.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    const reasons = accepted.flatMap(({ data }) => Object.values<string>(data))
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of reasons) expect(reason.length).toBeGreaterThan(40)
  })
})

describe('a stage', () => {
  test('without an address tells nobody; with one, every alarm is sent there', () => {
    expect(service.all('AWS::SNS::Topic')).toEqual([])
    const { service: loud } = synthesize({ alarmEmail: 'on-call@example.com' })
    expect(loud.one('AWS::SNS::Subscription').Properties).toMatchObject({ Endpoint: 'on-call@example.com' })
    for (const { Properties } of loud.all('AWS::CloudWatch::Alarm'))
      expect(Properties.AlarmActions).toHaveLength(1)
    expect(loud.one('AWS::SNS::TopicPolicy').Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    )
  })

  test('sets executions aside only for the functions that it names', () => {
    const { service } = synthesize({ reservedConcurrency: { triggers: 5 } })
    const reserved = service
      .all('AWS::Lambda::Function')
      .filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined)
    expect(reserved.map(({ Properties }) => Properties)).toMatchObject([
      { FunctionName: 'ph-triggers', ReservedConcurrentExecutions: 5 },
    ])
  })
})

test('a deployment prints where it answers and how to read the operator key', () => {
  const { ApiUrl, triggersBaseUrl, OperatorKeySecret, ReadOperatorKey } = service.outputs
  expect(words(ApiUrl?.Value)).toBe('HttpApi')
  expect(words(triggersBaseUrl?.Value)).toBe('triggersFunctionFunctionUrl')
  expect(words(OperatorKeySecret?.Value)).toBe('operator-key-arn')
  expect(words(ReadOperatorKey?.Value)).toContain(
    'aws secretsmanager get-secret-value --secret-id operator-key-arn',
  )
})

const forEverybody = new Set(['NODE_OPTIONS', 'BASE_URL', 'LOG_LEVEL'])

/** The oracle: `<action> <resource>` for everything that the map and the kind of waker imply. */
function mapped(name: string, spec: FunctionSpec): string[] {
  const on = (resource: string, actions: string[]) => actions.map((action) => `${action} ${resource}`)
  return [
    ...on(`${name}Logs`, ['logs:CreateLogStream', 'logs:PutLogEvents']),
    ...on(
      'table-arn',
      (spec.table ?? []).map((action) => `dynamodb:${action}`),
    ),
    ...(spec.dueIndex ? ['dynamodb:Query table-arn/index/due'] : []),
    ...(spec.bucket?.read ?? []).map((prefix) => `s3:GetObject bucket-arn/${prefix}*`),
    ...(spec.bucket?.write ?? []).map((prefix) => `s3:PutObject bucket-arn/${prefix}*`),
    ...(spec.bucket?.delete ?? []).map((prefix) => `s3:DeleteObject bucket-arn/${prefix}*`),
    ...(spec.sendsTo ?? []).map((queue) => `sqs:SendMessage ${queue}Queue`),
    ...(spec.operatorKey ? ['secretsmanager:GetSecretValue operator-key-arn'] : []),
    ...on(
      'credentials-key-arn',
      (spec.credentials ?? []).map((use) => (use === 'encrypt' ? 'kms:Encrypt' : 'kms:Decrypt')),
    ),
    ...wakerNeeds(name, spec),
  ]
}

function wakerNeeds(name: string, { wokenBy }: FunctionSpec): string[] {
  const send = ['SendMessage', 'GetQueueAttributes', 'GetQueueUrl']
  const receive = [
    'ReceiveMessage',
    'DeleteMessage',
    'ChangeMessageVisibility',
    'GetQueueAttributes',
    'GetQueueUrl',
  ]
  switch (wokenBy.kind) {
    case 'queue':
      return receive.map((action) => `sqs:${action} ${wokenBy.queue}Queue`)
    case 'objectCreated':
      return send.map((action) => `sqs:${action} ${name}EventsDeadLetters`)
    case 'stream':
      return [
        ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
          (action) => `dynamodb:${action} stream-arn`,
        ),
        'dynamodb:ListStreams table-arn/stream/*',
        ...send.map((action) => `sqs:${action} ${name}ChangesDeadLetters`),
      ]
    default:
      return []
  }
}

/** What the policies of the function's role allow, sorted. */
function granted(name: string): string[] {
  const role = functionNamed(service, name).properties.Role['Fn::GetAtt'][0]
  return service
    .all('AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some((each: { Ref: string }) => each.Ref === role))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action, Resource }) =>
      list(Action).flatMap((action) => list(Resource).map((resource) => `${action} ${words(resource)}`)),
    )
    .sort()
}
