import { type App, Tags, Validations } from 'aws-cdk-lib'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { FunctionName } from '../functions.ts'
import type { Routes } from '../routes.ts'
import type { Stage } from '../stages.ts'
import { DataStack } from './data-stack.ts'
import { ServiceStack } from './service-stack.ts'

export interface PosthasteProps {
  stage: Stage
  routes: Routes
  codeOf: (name: FunctionName) => Code
}

/** One deployment of Posthaste: its data, and the service on top. A finding of cdk-nag fails the synthesis. */
export function addPosthaste(app: App, { stage, routes, codeOf }: PosthasteProps) {
  const { prefix, terminationProtection } = stage
  const data = new DataStack(app, `${prefix}-data`, { terminationProtection })
  const { holdings } = data
  const service = new ServiceStack(app, `${prefix}-service`, {
    stage,
    holdings,
    routes,
    codeOf,
    terminationProtection,
  })
  service.addStackDependency(data)

  Tags.of(app).add('service', 'posthaste')
  Tags.of(app).add('deployment', prefix)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  return { data, service }
}
