import { Stack, Validations } from 'aws-cdk-lib'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { IConstruct } from 'constructs'

/** Accepts findings of cdk-nag below `scope`: rule → why what it finds is right here. */
export function accept(scope: IConstruct, reasons: Record<string, string>): void {
  const findings = Object.entries(reasons).map(([id, reason]) => ({ id, reason }))
  Validations.of(scope).acknowledge(...findings)
}

/** Accepts that the policies below `scope` name this very resource, wildcard and all, and no other. */
export function acceptWildcard(scope: IConstruct, resourceArn: string, reason: string): void {
  const finding = flattenCfnReference(Stack.of(scope).resolve(resourceArn))
  accept(scope, { [`AwsSolutions-IAM5[Resource::${finding}]`]: reason })
}
