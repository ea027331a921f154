import { RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { DoorRoute } from '../routes.ts'
import type { Stage } from '../stages.ts'
import { accept } from './accept.ts'
import { ImpactAlarm } from './impact-alarm.ts'
import type { ServiceFunction } from './service-function.ts'

/** The HTTP API: explicit routes to the doors, throttled as a whole, every request in the access log. */
export class HttpDoors extends Construct {
  /** Without a slash at its end. */
  readonly url: string
  readonly #api: HttpApi

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id)
    this.#api = new HttpApi(this, 'Api', { apiName: stage.prefix, createDefaultStage: false })
    this.url = this.#api.apiEndpoint
    const { requestsPerSecond: rateLimit, burst: burstLimit } = stage.throttle
    const defaultStage = new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit, burstLimit },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs(this, stage)),
        format: logLine,
      },
    })
    // The doors answer what goes wrong by themselves, so their own error count does not show it.
    new ImpactAlarm(this, 'Alarm', {
      metric: defaultStage.metricServerError({ statistic: 'Sum' }),
      impact: 'Callers get a server error for requests that are in order.',
    })
    accept(this, {
      'AwsSolutions-APIG4':
        'The doors check the bearer key themselves, wherever a route asks for one: an authorizer of the gateway would answer 401 and 403 with its own bodies, which the public API does not allow.',
    })
  }

  /** Leads these routes to a door. */
  addRoutes(door: ServiceFunction, routes: readonly DoorRoute[]): void {
    // One permission for all of a door's routes: a function's policy holds no more than 20 KB.
    const integration = new HttpLambdaIntegration(door.name, door.lambda, { scopePermissionToRoute: false })
    for (const { method, path } of routes) {
      this.#api.addRoutes({ path, methods: [HttpMethod[method]], integration })
    }
  }

  /** Leads whatever no route matched to a door. */
  addUnmatched(door: ServiceFunction): void {
    // With its own permission: the one for all routes does not cover `$default`.
    const integration = new HttpLambdaIntegration(door.name, door.lambda)
    new HttpRoute(this, 'Unmatched', { httpApi: this.#api, routeKey: HttpRouteKey.DEFAULT, integration })
  }
}

const accessLogs = (scope: Construct, stage: Stage): LogGroup =>
  new LogGroup(scope, 'AccessLogs', {
    // The prefix spares the account's resource policy for log delivery, which cannot grow without end.
    logGroupName: `/aws/vendedlogs/${stage.prefix}-api`,
    retention: stage.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  })

/** The route, never the path: the path of a trigger is a secret. */
const logLine = AccessLogFormat.custom(
  JSON.stringify({
    time: AccessLogField.contextRequestTimeEpoch(),
    requestId: AccessLogField.contextRequestId(),
    route: '$context.routeKey',
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    bytes: AccessLogField.contextResponseLength(),
    caller: AccessLogField.contextIdentitySourceIp(),
    userAgent: AccessLogField.contextIdentityUserAgent(),
    error: AccessLogField.contextErrorMessage(),
    integrationError: AccessLogField.contextIntegrationErrorMessage(),
  }),
)
