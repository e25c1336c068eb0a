import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { Metrics } from '../kit/runtime/metrics.ts'
import { metricsApp } from './metrics.ts'

it('a renamed metric is also shown under its old name, with a help text that gives the new one', async () => {
  const metrics = new Metrics()
  metrics.gauge('vezne_unsettled_modifications', 'Captures, releases and refunds.', () => 3)
  metrics.counter('vezne_webhook_attempts_total', 'Attempts.', ['result']).inc({ result: '2xx' }, 5)
  metrics.histogram('vezne_webhook_first_attempt_delay_seconds', 'Delay.', [1, 10]).observe(2)
  const answer = await metricsApp({ metrics }).inject('/metrics')
  const lines = answer.body.split('\n')
  for (const line of [
    'vezne_unsettled_modifications 3',
    '# HELP vezne_unsettled_deeds Renamed: use vezne_unsettled_modifications.',
    '# TYPE vezne_unsettled_deeds gauge',
    'vezne_unsettled_deeds 3',
    '# TYPE vezne_webhook_tries_total counter',
    'vezne_webhook_tries_total{result="2xx"} 5',
    '# TYPE vezne_webhook_first_try_delay_seconds histogram',
    'vezne_webhook_first_try_delay_seconds_bucket{le="10"} 1',
    'vezne_webhook_first_try_delay_seconds_sum 2',
  ])
    assert.equal(lines.filter((each) => each === line).length, 1, line)
  assert.doesNotMatch(answer.body, /deeds_for_people/, 'what is not measured has no old name either')
})

it('every renamed metric in the documents is shown under both names, and its new name is documented', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operate/monitoring.md'), 'utf8')
  const renamed = [...page.matchAll(/^\| `(vezne_\w+)` \| `(vezne_\w+)` \|$/gm)]
  assert.equal(renamed.length, 9)
  const metrics = new Metrics()
  for (const [, , newName = ''] of renamed) metrics.gauge(newName, 'Measured.', () => 1)
  const { body } = await metricsApp({ metrics }).inject('/metrics')
  for (const [, oldName = '', newName = ''] of renamed) {
    assert.match(body, new RegExp(`^${oldName} 1$`, 'm'))
    assert.match(page, new RegExp(`^\\| \`${newName}\` \\| (gauge|counter|histogram) \\|`, 'm'))
  }
})
