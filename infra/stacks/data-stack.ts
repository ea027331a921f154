import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { accept } from '../constructs/accept.ts'
import * as resources from '../resources.ts'

/** How the service stack names what the data stack keeps. */
export interface Holdings {
  tableName: string
  tableArn: string
  streamArn: string
  bucketName: string
  bucketArn: string
  credentialsKeyArn: string
  operatorKeyArn: string
}

/**
 * What must outlive every deployment: table, bucket, and the key to the account credentials. They stay when the stack
 * is deleted, in every stage; whoever wants them gone lifts the table's deletion protection and removes them by hand.
 */
export class DataStack extends Stack {
  /** Explicit exports: they never vanish while a service stack still imports them. */
  readonly holdings: Holdings

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, { description: "Posthaste's data: posts, media and account credentials", ...props })
    const table = makeTable(this)
    const bucket = makeBucket(this)
    const credentialsKey = new Key(this, 'CredentialsKey', {
      description: 'Encrypts the credentials of connected social accounts',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    const operatorKey = makeOperatorKey(this)

    const exported = (name: string, value: string | undefined) =>
      this.exportValue(value, { name: `${this.stackName}-${name}` })
    this.holdings = {
      tableName: exported('table-name', table.tableName),
      tableArn: exported('table-arn', table.tableArn),
      streamArn: exported('stream-arn', table.tableStreamArn),
      bucketName: exported('bucket-name', bucket.bucketName),
      bucketArn: exported('bucket-arn', bucket.bucketArn),
      credentialsKeyArn: exported('credentials-key-arn', credentialsKey.keyArn),
      operatorKeyArn: exported('operator-key-arn', operatorKey.secretArn),
    }
  }
}

function makeTable(scope: Construct): TableV2 {
  const { partitionKey, sortKey, dueIndex, timeToLive, streamView } = resources.table
  const text = (name: string) => ({ name, type: AttributeType.STRING })
  return new TableV2(scope, 'Table', {
    partitionKey: text(partitionKey),
    sortKey: text(sortKey),
    globalSecondaryIndexes: [
      {
        indexName: dueIndex.name,
        partitionKey: text(dueIndex.partitionKey),
        sortKey: text(dueIndex.sortKey),
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
    billing: Billing.onDemand(),
    timeToLiveAttribute: timeToLive,
    dynamoStream: StreamViewType[streamView],
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
}

function makeBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    // S3's own key: media go out to public networks anyway, and each KMS request would cost.
    encryption: BucketEncryption.S3_MANAGED,
    // Browsers may upload from any page: what lets them is the presigned URL, not their origin.
    cors: [
      {
        allowedMethods: [HttpMethods.PUT],
        allowedOrigins: ['*'],
        allowedHeaders: ['content-type'],
        exposedHeaders: ['ETag'],
        maxAge: 3600,
      },
    ],
    lifecycleRules: [
      {
        prefix: resources.bucket.uploadsPrefix,
        expiration: Duration.days(resources.bucket.uploadsExpireAfterDays),
      },
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: RemovalPolicy.RETAIN,
  })
  // Bucket's own `eventBridgeEnabled` would add a function that may change the notifications of every bucket.
  const cfnBucket = bucket.node.defaultChild as CfnBucket
  cfnBucket.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } }

  accept(bucket, {
    'AwsSolutions-S1':
      'Only this service reads and writes the bucket, by roles and URLs of its own, and the API logs the calls that lead there; server access logs would need a second bucket. Who must have them adds CloudTrail data events.',
  })
  return bucket
}

function makeOperatorKey(scope: Construct): Secret {
  const secret = new Secret(scope, 'OperatorKey', {
    description: 'Bearer key of the admin API, the console and the command line',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
    removalPolicy: RemovalPolicy.RETAIN,
  })
  accept(secret, {
    'AwsSolutions-SMG4':
      'People paste this key into the console and the command line, so it changes when they decide: they put a new value into the secret, and functions read it when they start.',
  })
  return secret
}
