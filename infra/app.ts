/**
 * The CDK app: `npx cdk synth`, `npx cdk deploy --all -c stage=prod`. Without `-c stage=…` it is `dev`, so that nobody
 * touches production by leaving a word out. Synthesis needs no AWS credentials.
 */
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { bundleFunctions } from './bundle.ts'
import { featureFlags } from './feature-flags.ts'
import { readRoutes } from './routes.ts'
import { addPosthaste } from './stacks/posthaste.ts'
import { findStage, stages } from './stages.ts'

const app = new App({ context: featureFlags })
const name: string = app.node.tryGetContext('stage') ?? 'dev'
const stage = findStage(name)
if (!stage) {
  console.error(`There is no stage "${name}": choose one of ${Object.keys(stages).join(', ')} (-c stage=…)`)
  process.exit(1)
}

const [routes, bundles] = await Promise.all([readRoutes(), bundleFunctions()])
addPosthaste(app, { stage, routes, codeOf: (name) => Code.fromAsset(bundles[name].folder) })
app.synth()
