/** The templates of a deployment whose routes are given and whose code is a line of text: no doors, no bundling. */
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { featureFlags } from '../../infra/feature-flags.ts'
import type { Routes } from '../../infra/routes.ts'
import { addPosthaste } from '../../infra/stacks/posthaste.ts'
import { type Stage, stages } from '../../infra/stages.ts'

export interface Resource {
  Type: string
  Properties: Record<string, any>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

export const routes = {
  posts: [
    { method: 'GET', path: '/posts' },
    { method: 'POST', path: '/posts' },
    { method: 'PATCH', path: '/posts/{id}' },
  ],
  labels: [{ method: 'GET', path: '/labels/{id+}' }],
} satisfies Routes

export function synthesize(changes: Partial<Stage> = {}) {
  const app = new App({ context: featureFlags })
  const stage: Stage = { ...stages.prod, prefix: 'ph', ...changes }
  const { data, service } = addPosthaste(app, { stage, routes, codeOf: () => Code.fromInline('//') })
  return { app, stage, data: read(data, 'ph-data'), service: read(service, 'ph-service') }
}

/** A stack's template, by type of resource. */
export type Synthesized = ReturnType<typeof read>

function read(stack: Parameters<typeof Template.fromStack>[0], name: string) {
  const template = Template.fromStack(stack)
  const resources = template.toJSON().Resources as Record<string, Resource>
  const all = (type: string) => Object.values(resources).filter(({ Type }) => Type === type)
  return {
    name,
    stack,
    outputs: template.toJSON().Outputs as Record<string, { Value: unknown }>,
    resources,
    all,
    one(type: string): Resource {
      const [first, ...others] = all(type)
      if (!first || others.length > 0) throw new Error(`${name} has ${all(type).length} of ${type}`)
      return first
    },
  }
}

/** A reference as words: what the data stack exports by its name there, anything else by its ID without the hash. */
export function words(reference: unknown): string {
  if (typeof reference === 'string') return reference
  const [[kind, value]] = Object.entries(reference as object) as [[string, any]]
  if (kind === 'Fn::ImportValue') return String(value).replace('ph-data-', '')
  if (kind === 'Fn::Join') return value[1].map(words).join(value[0])
  return String(kind === 'Fn::GetAtt' ? value[0] : value).replace(/[0-9A-F]{8}$/, '')
}

/** Something or a list of it, as a list. */
export const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value])

/** The function of that name in the map. */
export function functionNamed({ resources }: Synthesized, name: string) {
  const found = Object.entries(resources).find(
    ([, { Properties }]) => Properties.FunctionName === `ph-${name}`,
  )
  if (!found) throw new Error(`there is no function ${name}`)
  const [id, { Properties: properties }] = found
  return { id, properties, variables: properties.Environment.Variables as Record<string, unknown> }
}

/** What names this function: its permissions, its event sources, how it is called asynchronously. */
export function attachedTo(stack: Synthesized, name: string, type: string): Record<string, any>[] {
  const { id } = functionNamed(stack, name)
  const properties = stack.all(type).map(({ Properties }) => Properties)
  return properties.filter(({ FunctionName: of }) => (of.Ref ?? of['Fn::GetAtt']?.[0]) === id)
}

/** The alarms that watch a metric. */
export const alarmsOn = ({ all }: Synthesized, metric: string): Resource[] =>
  all('AWS::CloudWatch::Alarm').filter(({ Properties }) => Properties.MetricName === metric)
