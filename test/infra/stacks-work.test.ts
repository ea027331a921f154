import { describe, expect, test } from 'vitest'
import { type FunctionSpec, functions } from '../../infra/functions.ts'
import { queues } from '../../infra/resources.ts'
import { alarmsOn, attachedTo, type Resource, synthesize, words } from './synthesized.ts'

const { service } = synthesize()
const map = Object.entries<FunctionSpec>(functions)

describe('queues', () => {
  const isDeadLetters = (id: string) => words({ Ref: id }).endsWith('DeadLetters')
  const all = Object.entries(service.resources).filter(([, { Type }]) => Type === 'AWS::SQS::Queue')

  test.each(Object.entries(queues))(
    '%s has dead letters, and an alarm that says what a user suffers',
    (name, spec) => {
      const [[, queue]] = all.filter(([id]) => words({ Ref: id }) === `${name}Queue`) as [[string, Resource]]
      expect(queue.Properties.RedrivePolicy.maxReceiveCount).toBe(spec.maxReceives)
      const target = queue.Properties.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0]
      expect(isDeadLetters(target)).toBe(true)
      expect(deadLetterAlarm(target)).toMatchObject({ AlarmDescription: spec.impact, Threshold: 1 })
    },
  )

  test('of dead letters keep them for 14 days, and ring from the first one on', () => {
    const deadLetters = all.filter(([id]) => isDeadLetters(id))
    expect(deadLetters).toHaveLength(3)
    for (const [id, queue] of deadLetters) {
      expect(queue.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600)
      expect(deadLetterAlarm(id)).toMatchObject({
        Threshold: 1,
        AlarmDescription: expect.stringMatching(/\w+\.$/),
      })
    }
  })

  test('are encrypted, and closed to plain HTTP', () => {
    const closed = service.all('AWS::SQS::QueuePolicy').map(({ Properties }) => ({
      queue: Properties.Queues[0].Ref,
      deny: Properties.PolicyDocument.Statement[0],
    }))
    for (const [id, queue] of all) {
      expect(queue.Properties.SqsManagedSseEnabled).toBe(true)
      expect(closed.find((each) => each.queue === id)?.deny).toMatchObject({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      })
    }
  })

  test.each(map.filter(([, { wokenBy }]) => wokenBy.kind === 'queue'))(
    '%s: a message stays hidden for six times the function’s time, and fails alone',
    (name, { wokenBy, timeoutSeconds }) => {
      if (wokenBy.kind !== 'queue') return
      const [source] = mappingsOf(name) as [Record<string, any>]
      const queue = service.resources[source.EventSourceArn['Fn::GetAtt'][0]]
      expect(queue?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeoutSeconds)
      expect(source).toMatchObject({
        BatchSize: wokenBy.batchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 20 },
      })
    },
  )

  test('publish jobs come one at a time', () => {
    expect(mappingsOf('publishJob')).toMatchObject([{ BatchSize: 1 }])
  })
})

describe('what wakes the other functions', () => {
  test('the tick comes every minute, is tried again at most once, and never grows old', () => {
    const { Properties } = service.one('AWS::Scheduler::Schedule')
    expect(Properties.ScheduleExpression).toBe('rate(1 minute)')
    expect(words(Properties.Target.Arn)).toBe('publishDispatchFunction')
    expect(Properties.Target.RetryPolicy).toEqual({ MaximumRetryAttempts: 1, MaximumEventAgeInSeconds: 60 })
    expect(asyncInvocationOf('publishDispatch')).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    })
  })

  test('somebody hears of it when the ticks stop', () => {
    expect(alarmsOn(service, 'Invocations').map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        AlarmDescription: functions.publishDispatch.impact,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      }),
    ])
  })

  test('uploads are reported, other objects are not, and a report that fails is kept', () => {
    const { EventPattern, Targets } = service.one('AWS::Events::Rule').Properties
    expect(EventPattern).toEqual({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: {
        bucket: { name: [{ 'Fn::ImportValue': 'ph-data-bucket-name' }] },
        object: { key: [{ prefix: 'uploads/' }] },
      },
    })
    expect(Targets).toEqual([expect.objectContaining({ RetryPolicy: expect.anything() })])
    expect(words(Targets[0].Arn)).toBe('mediaArrivalFunction')
    const { DestinationConfig } = asyncInvocationOf('mediaArrival') as Record<string, any>
    expect(DestinationConfig.OnFailure.Destination).toEqual(Targets[0].DeadLetterConfig.Arn)
  })

  test.each(map.filter(([, { wokenBy }]) => wokenBy.kind === 'stream'))(
    '%s sees only the changes that it asks for, and one bad record does not stop the others',
    (name, { wokenBy }) => {
      if (wokenBy.kind !== 'stream') return
      const [source] = mappingsOf(name) as [Record<string, any>]
      expect(
        source.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
      ).toEqual([
        {
          eventName: [wokenBy.event],
          dynamodb: { Keys: { sk: { S: [{ prefix: wokenBy.sortKeyPrefix }] } } },
        },
      ])
      expect(source).toMatchObject({
        EventSourceArn: { 'Fn::ImportValue': 'ph-data-stream-arn' },
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: 5,
      })
      expect(words(source.DestinationConfig.OnFailure.Destination)).toBe(`${name}ChangesDeadLetters`)
    },
  )
})

const mappingsOf = (name: string) => attachedTo(service, name, 'AWS::Lambda::EventSourceMapping')
const asyncInvocationOf = (name: string) => attachedTo(service, name, 'AWS::Lambda::EventInvokeConfig')[0]

const deadLetterAlarm = (queueId: string) =>
  alarmsOn(service, 'ApproximateNumberOfMessagesVisible').find(
    ({ Properties }) => Properties.Dimensions[0].Value['Fn::GetAtt'][0] === queueId,
  )?.Properties
