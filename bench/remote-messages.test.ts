import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countedKinds } from './remote-messages.ts'

it('the messages to workers are counted by kind and table', () => {
  const log = `2026-11-19 01:17:57.001 UTC [7] NOTICE:  issuing BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT 1
2026-11-19 01:17:57.002 UTC [7] NOTICE:  issuing WITH locked AS (
\tSELECT id FROM public.payments_102008 payments) UPDATE public.bank_calls_102041 SET state = 'x'
2026-11-19 01:17:57.003 UTC [7] LOG:  checkpoint starting: time
2026-11-19 01:17:57.004 UTC [7] NOTICE:  issuing COMMIT PREPARED 'citus_0_7_1_0'
2026-11-19 01:17:57.005 UTC [7] NOTICE:  issuing COMMIT
2026-11-19 01:17:57.006 UTC [7] NOTICE:  issuing SELECT id FROM public.payments_102009 payments
2026-11-19 01:17:57.007 UTC [7] NOTICE:  issuing COMMIT
`
  assert.deepEqual(Object.fromEntries(countedKinds(log)), {
    commit: 2,
    begin: 1,
    'with payments': 1,
    'commit prepared': 1,
    'select payments': 1,
  })
})
