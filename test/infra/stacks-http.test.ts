import { describe, expect, test } from 'vitest'
import { attachedTo, type Resource, routes, type Synthesized, synthesize, words } from './synthesized.ts'

const { service } = synthesize()

describe('the HTTP API', () => {
  test('has the doors’ own routes and one for the rest, each to its function', () => {
    const expected = Object.entries(routes).flatMap(([name, own]) =>
      own.map(({ method, path }) => [`${method} ${path}`, name]),
    )
    expect(routesOf(service)).toEqual(new Map([...expected, ['$default', 'unmatched']] as [string, string][]))
  })

  test('may call a door by any of its routes through one permission, and the rest through its own', () => {
    const paths = (name: string) =>
      permissionsOf(name).map(({ SourceArn }) => words(SourceArn).split('HttpApi')[1])
    expect(paths('posts')).toEqual(['/*/*/*'])
    expect(paths('unmatched')).toEqual(['/*/*'])
  })

  test('is throttled, and logs every request by its route, never by its path', () => {
    const { Properties } = service.one('AWS::ApiGatewayV2::Stage')
    expect(Properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 },
    })
    expect(Properties.AccessLogSettings.Format).toContain('$context.routeKey')
    expect(Properties.AccessLogSettings.Format).not.toMatch(/\$context\.(path|http\.path)/)
  })
})

describe('triggers', () => {
  test('have a URL that anybody may call, with both permissions that AWS asks for', () => {
    expect(service.one('AWS::Lambda::Url').Properties).toMatchObject({ AuthType: 'NONE' })
    expect(permissionsOf('triggers')).toEqual([
      expect.objectContaining({
        Action: 'lambda:InvokeFunctionUrl',
        FunctionUrlAuthType: 'NONE',
        Principal: '*',
      }),
      expect.objectContaining({
        Action: 'lambda:InvokeFunction',
        InvokedViaFunctionUrl: true,
        Principal: '*',
      }),
    ])
  })

  test('are paths of the HTTP API where function URLs are forbidden', () => {
    const { service: closed } = synthesize({ functionUrls: false })
    expect(closed.all('AWS::Lambda::Url')).toEqual([])
    expect(routesOf(closed).get('ANY /triggers/{rest+}')).toBe('triggers')
  })
})

const permissionsOf = (name: string) => attachedTo(service, name, 'AWS::Lambda::Permission')

/** Route key → the function that it leads to. */
function routesOf({ all, resources }: Synthesized): Map<string, string> {
  const target = ({ Properties }: Resource) => {
    const [, [, { Ref: integration }]] = Properties.Target['Fn::Join']
    return words(resources[integration]?.Properties.IntegrationUri).replace(/Function$/, '')
  }
  return new Map(all('AWS::ApiGatewayV2::Route').map((route) => [route.Properties.RouteKey, target(route)]))
}
