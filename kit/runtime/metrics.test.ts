import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Metrics } from './metrics.ts'

it('requests are counted by app, method, route and status, in cumulative buckets', async () => {
  const metrics = new Metrics()
  const [api, page] = [metrics.requestsOf('api'), metrics.requestsOf('page')]
  for (const seconds of [0.0005, 0.001, 0.002, 0.3, 60]) api('GET', '/v1/a', 200, seconds)
  api('POST', '/v1/a', 200, 1)
  api('GET', '/v1/a', 404, 1)
  page('GET', '/v1/a', 200, 1)
  const text = await metrics.registry.metrics()
  const name = 'http_server_request_duration_seconds'
  const numberIn = (part: string, labels: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}_${part}{${labels}}`))
      ?.split(' ')[1]
  const labels = 'app="api",method="GET",route="/v1/a",status="200"'
  assert.match(text, new RegExp(`# TYPE ${name} histogram`))
  const buckets = ['0.001', '0.0025', '0.25', '0.5', '10', '+Inf'].map((le) =>
    numberIn('bucket', `le="${le}",${labels}`),
  )
  assert.deepEqual(buckets, ['2', '3', '3', '4', '4', '5'])
  assert.equal(numberIn('count', labels), '5')
  assert.equal(Number(numberIn('sum', labels)).toFixed(4), '60.3035')
  for (const other of [
    'app="api",method="POST",route="/v1/a",status="200"',
    'app="api",method="GET",route="/v1/a",status="404"',
    'app="page",method="GET",route="/v1/a",status="200"',
  ]) {
    assert.equal(numberIn('count', other), '1', other)
  }
})
