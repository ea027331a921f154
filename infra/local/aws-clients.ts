import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'

/** Where every emulator says it is. */
export const region = 'us-east-1'

/** The account of every emulator. */
export const accountId = '000000000000'

/** What s3rver checks signatures against; the other emulators take any. */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

const at = (endpoint: string) => ({ endpoint, region, credentials })

/** Clients of the emulators, for those who play AWS's part: the runner and the tests. */
export const dynamodbClient = (endpoint: string) => new DynamoDBClient(at(endpoint))
export const sqsClient = (endpoint: string) => new SQSClient(at(endpoint))
export const s3Client = (endpoint: string) => new S3Client({ ...at(endpoint), forcePathStyle: true })
