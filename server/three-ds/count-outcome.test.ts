import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Metrics } from '../../kit/runtime/metrics.ts'
import { countOutcome } from './count-outcome.ts'

it('outcomes are counted by mode, with the old label `way` alongside', async () => {
  const metrics = new Metrics()
  countOutcome({ metrics }, 'us', 'approved')
  countOutcome({ metrics }, 'bank', 'timeout')
  const text = await metrics.registry.metrics()
  assert.match(text, /^vezne_authentications_total\{mode="us",way="us",outcome="approved"\} 1$/m)
  assert.match(text, /^vezne_authentications_total\{mode="bank",way="bank",outcome="timeout"\} 1$/m)
})
