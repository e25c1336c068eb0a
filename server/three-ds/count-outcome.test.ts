import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Metrics } from '../../kit/runtime/metrics.ts'
import { countOutcome } from './count-outcome.ts'

it('outcomes are counted by mode', async () => {
  const metrics = new Metrics()
  countOutcome({ metrics }, 'three_ds_server', 'approved')
  countOutcome({ metrics }, 'bank_page', 'timeout')
  const text = await metrics.registry.metrics()
  assert.match(text, /^vezne_authentications_total\{mode="three_ds_server",outcome="approved"\} 1$/m)
  assert.match(text, /^vezne_authentications_total\{mode="bank_page",outcome="timeout"\} 1$/m)
})
