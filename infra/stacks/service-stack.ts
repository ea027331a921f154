import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { emailAlarms } from '../constructs/alarm-email.ts'
import { HttpDoors } from '../constructs/http-doors.ts'
import { ObjectEvents } from '../constructs/object-events.ts'
import { PublicUrl } from '../constructs/public-url.ts'
import { QueueWorker } from '../constructs/queue-worker.ts'
import { ServiceFunction } from '../constructs/service-function.ts'
import { TableChanges } from '../constructs/table-changes.ts'
import { Tick } from '../constructs/tick.ts'
import { type FunctionName, type FunctionSpec, functions, type QueueName } from '../functions.ts'
import { queues } from '../resources.ts'
import type { Routes } from '../routes.ts'
import type { Stage } from '../stages.ts'
import type { Holdings } from './data-stack.ts'

export interface ServiceStackProps extends StackProps {
  stage: Stage
  holdings: Holdings
  routes: Routes
  /** The code of a function: its bundle, or for tests a line of text. */
  codeOf: (name: FunctionName) => Code
}

/** Everything that can be deleted and made again: the functions of the map, and what wakes them. */
export class ServiceStack extends Stack {
  readonly #props: ServiceStackProps
  readonly #api: HttpDoors
  readonly #queues = new Map<QueueName, IQueue>()

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, { description: 'Posthaste, a social publishing service', ...props })
    this.#props = props
    this.#api = new HttpDoors(this, 'Http', props.stage)

    const made = Object.entries<FunctionSpec>(functions).map(([name, spec]) =>
      this.#makeFunction(name as FunctionName, spec),
    )
    for (const each of made) this.#wake(each)
    for (const each of made) this.#letSend(each)

    if (props.stage.alarmEmail) emailAlarms(this, props.stage.alarmEmail)
    this.#printAddresses()
  }

  #makeFunction(name: FunctionName, spec: FunctionSpec): ServiceFunction {
    const { stage, holdings, codeOf } = this.#props
    return new ServiceFunction(this, name, {
      spec,
      stage,
      holdings,
      code: codeOf(name),
      baseUrl: this.#api.url,
    })
  }

  #wake(worker: ServiceFunction): void {
    const { stage, holdings, routes } = this.#props
    const waker = worker.spec.wokenBy
    switch (waker.kind) {
      case 'http':
        return this.#api.addRoutes(worker, routes[worker.name] ?? [])
      case 'unmatched':
        return this.#api.addUnmatched(worker)
      case 'functionUrl':
        return this.#makePublic(worker, waker.under)
      case 'queue': {
        const { queue: name, batchSize } = waker
        const options = { queue: queues[name], worker, batchSize, maxConcurrency: stage.queueConcurrency }
        this.#queues.set(name, new QueueWorker(this, `${name}Queue`, options).queue)
        return
      }
      case 'objectCreated':
        new ObjectEvents(this, `${worker.name}Events`, {
          bucketName: holdings.bucketName,
          under: waker.under,
          worker,
        })
        return
      case 'schedule':
        new Tick(this, `${worker.name}Tick`, { worker, everyMinutes: waker.everyMinutes })
        return
      case 'stream':
        new TableChanges(this, `${worker.name}Changes`, { holdings, change: waker, worker })
        return
      default:
        waker satisfies never
    }
  }

  #makePublic(worker: ServiceFunction, under: string): void {
    if (!this.#props.stage.functionUrls) {
      this.#api.addRoutes(worker, [{ method: 'ANY', path: `${under}{rest+}` }])
      return
    }
    const { url } = new PublicUrl(this, `${worker.name}Url`, worker)
    new CfnOutput(this, `${worker.name}BaseUrl`, { value: url, description: `The public URL of ${under}` })
  }

  #letSend(worker: ServiceFunction): void {
    for (const name of worker.spec.sendsTo ?? []) {
      const queue = this.#queues.get(name)
      if (!queue) throw new Error(`${worker.name} sends to "${name}", which no function of the map empties`)
      worker.maySendTo(name, queue)
    }
  }

  #printAddresses(): void {
    const { operatorKeyArn } = this.#props.holdings
    new CfnOutput(this, 'ApiUrl', { value: this.#api.url, description: 'The base URL of the API' })
    new CfnOutput(this, 'OperatorKeySecret', { value: operatorKeyArn, description: 'Holds the operator key' })
    new CfnOutput(this, 'ReadOperatorKey', {
      value: `aws secretsmanager get-secret-value --secret-id ${operatorKeyArn} --query SecretString --output text`,
      description: 'Prints the operator key',
    })
  }
}
