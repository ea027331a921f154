import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { type Env, toVariables } from '#shared/env.ts'
import type { FunctionName, FunctionSpec, QueueName } from '../functions.ts'
import type { Holdings } from '../stacks/data-stack.ts'
import type { Stage } from '../stages.ts'
import { acceptWildcard } from './accept.ts'
import { ImpactAlarm } from './impact-alarm.ts'
import { dataPermissions, objectArns } from './permissions.ts'

export interface ServiceFunctionProps {
  spec: FunctionSpec
  stage: Stage
  holdings: Holdings
  code: Code
  /** Public base URL of the API, without a slash at its end. */
  baseUrl: string
}

const queueVariables = { publish: 'publishQueueUrl' } as const satisfies Record<QueueName, keyof Env>

/** One function of the map: its code, its log group, exactly its permissions, and an alarm when it crashes. */
export class ServiceFunction extends Construct {
  readonly name: FunctionName
  readonly spec: FunctionSpec
  readonly lambda: LambdaFunction

  constructor(
    scope: Construct,
    name: FunctionName,
    { spec, stage, holdings, code, baseUrl }: ServiceFunctionProps,
  ) {
    super(scope, name)
    this.name = name
    this.spec = spec
    const functionName = `${stage.prefix}-${name}`
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // A role of its own: the one that CDK would make may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      description: spec.impact,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: `${spec.entry}.handler`,
      code,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[stage.logLevel],
      timeout: Duration.seconds(spec.timeoutSeconds),
      memorySize: spec.memoryMb,
      reservedConcurrentExecutions: stage.reservedConcurrency[name],
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        ...toVariables({ ...dataEnv(spec, holdings), baseUrl, logLevel: stage.logLevel }),
      },
    })
    for (const statement of dataPermissions(spec, holdings)) this.lambda.addToRolePolicy(statement)
    for (const arn of objectArns(spec, holdings)) {
      acceptWildcard(
        this,
        arn,
        'The map grants objects by prefix; their names are made when they are uploaded.',
      )
    }
    new ImpactAlarm(this, 'Alarm', { metric: this.lambda.metricErrors(), impact: spec.impact })
  }

  /** Lets the function put work into the queue. */
  maySendTo(name: QueueName, queue: IQueue): void {
    const actions = ['sqs:SendMessage']
    this.lambda.addToRolePolicy(new PolicyStatement({ actions, resources: [queue.queueArn] }))
    const variables = toVariables({ [queueVariables[name]]: queue.queueUrl })
    for (const [variable, value] of Object.entries(variables)) this.lambda.addEnvironment(variable, value)
  }
}

/** A function is told only of what it may touch. */
const dataEnv = (spec: FunctionSpec, holdings: Holdings): Partial<Env> => ({
  ...(spec.table && { tableName: holdings.tableName }),
  ...(spec.bucket && { bucketName: holdings.bucketName }),
  ...(spec.operatorKey && { operatorKeySecret: holdings.operatorKeyArn }),
  ...(spec.credentials && { credentialsKeyId: holdings.credentialsKeyArn }),
})
