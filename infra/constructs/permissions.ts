import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { FunctionSpec } from '../functions.ts'
import { table } from '../resources.ts'
import type { Holdings } from '../stacks/data-stack.ts'

type Part = 'read' | 'write' | 'delete'

const objectActions = { read: 's3:GetObject', write: 's3:PutObject', delete: 's3:DeleteObject' } as const
const keyActions = { encrypt: 'kms:Encrypt', decrypt: 'kms:Decrypt' } as const

/** What the map lets a function do with the data, and nothing else. */
export function dataPermissions(spec: FunctionSpec, holdings: Holdings): PolicyStatement[] {
  const statements: PolicyStatement[] = []
  const allow = (actions: string[], resource: string) =>
    statements.push(new PolicyStatement({ actions, resources: [resource] }))

  if (spec.table)
    allow(
      spec.table.map((action) => `dynamodb:${action}`),
      holdings.tableArn,
    )
  if (spec.dueIndex) allow(['dynamodb:Query'], `${holdings.tableArn}/index/${table.dueIndex.name}`)
  for (const [part, arn] of objects(spec, holdings)) allow([objectActions[part]], arn)
  if (spec.operatorKey) allow(['secretsmanager:GetSecretValue'], holdings.operatorKeyArn)
  if (spec.credentials)
    allow(
      spec.credentials.map((action) => keyActions[action]),
      holdings.credentialsKeyArn,
    )
  return statements
}

/** The objects that the function may touch, as ARNs that end in `*`: one for each prefix. */
export const objectArns = (spec: FunctionSpec, holdings: Holdings): string[] => [
  ...new Set(objects(spec, holdings).map(([, arn]) => arn)),
]

const objects = ({ bucket = {} }: FunctionSpec, { bucketArn }: Holdings): [Part, string][] =>
  (Object.keys(objectActions) as Part[]).flatMap((part) =>
    (bucket[part] ?? []).map((prefix): [Part, string] => [part, `${bucketArn}/${prefix}*`]),
  )
