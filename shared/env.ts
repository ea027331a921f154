/** The environment, read in this one file. On AWS CDK sets it; locally the runner does, by `setEnv`. */

export interface Env {
  tableName: string
  bucketName: string
  publishQueueUrl: string
  /** KMS key for account credentials on AWS … */
  credentialsKeyId: string
  /** … and its stand-in where there is no KMS: 32 bytes in base64. */
  localCredentialsKey: string
  /** ARN of the operator key's secret on AWS … */
  operatorKeySecret: string
  /** … or the key itself, locally. */
  operatorKey: string
  /** Public base URL, without a slash at its end. */
  baseUrl: string
  /** Emulators instead of AWS. */
  endpoints: { dynamodb: string; s3: string; sqs: string }
  logLevel: string
}

const variables = {
  tableName: 'TABLE_NAME',
  bucketName: 'BUCKET_NAME',
  publishQueueUrl: 'PUBLISH_QUEUE_URL',
  credentialsKeyId: 'CREDENTIALS_KEY_ID',
  localCredentialsKey: 'LOCAL_CREDENTIALS_KEY',
  operatorKeySecret: 'OPERATOR_KEY_SECRET',
  operatorKey: 'OPERATOR_KEY',
  baseUrl: 'BASE_URL',
  logLevel: 'LOG_LEVEL',
} as const satisfies Partial<Record<keyof Env, string>>

const endpointVariables = { dynamodb: 'DYNAMODB_ENDPOINT', s3: 'S3_ENDPOINT', sqs: 'SQS_ENDPOINT' } as const

/** What is set, and '' for what is not: a function is only given what it may touch. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const read = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).map(([key, variable]) => [key, source[variable] ?? '']))
  return { ...read(variables), endpoints: read(endpointVariables) } as unknown as Env
}

/** The variables of an environment, by the names that `readEnv` looks for. */
export function toVariables(env: Partial<Env>): Record<string, string> {
  const { endpoints, ...rest } = env
  const write = (names: Record<string, string>, values: Record<string, string | undefined>) =>
    Object.entries(names).flatMap(([key, variable]) => (values[key] ? [[variable, values[key]]] : []))
  return Object.fromEntries([...write(variables, rest), ...write(endpointVariables, endpoints ?? {})])
}

/** Does for this process what CDK does for a function: sets the variables that `readEnv` reads. */
export function setEnv(env: Partial<Env>): void {
  Object.assign(process.env, toVariables(env))
}
