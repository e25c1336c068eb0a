import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { IntegrityFault } from '../../testing/faults/integrity-faults.ts'
import {
  approvedAttemptSeed,
  integrityFixture,
  seedPaidPayment,
  violationsOf,
  withChangedAttempt,
  withChangedPayment,
  withChangedRefund,
} from '../../testing/faults/integrity-faults.ts'
import type { AttemptSeed } from '../../testing/seed/payment.ts'
import { seed } from '../../testing/seed/seed.ts'
import { sealedCards } from '../cards/store.ts'
import { checkIntegrity } from './check-integrity.ts'

const wrongEventFields: [name: string, value: unknown][] = [
  ['transaction_id', 10_000_000_000_001],
  ['amount', 9_999],
  ['amount', '10000'],
  ['currency_code', 'EUR'],
  ['pre_auth', true],
  ['payment_status', 2],
  ['payment_status_text', 'failed'],
  ['transaction_status', 1],
  ['transaction_status_text', null],
  ['metadata', [{ key: 'order', value: 'another' }]],
]
type Calls = NonNullable<AttemptSeed['calls']>
const authorized = { operation: 'authorize', outcome: 'approved' } as const
const withoutEvidence: [how: string, state: 'paid' | 'held', calls: Calls][] = [
  ['it was never asked', 'paid', []],
  ['it has not answered', 'paid', [{ operation: 'authorize' }]],
  [
    'the bank declined, and later does not know the charge',
    'paid',
    [
      { operation: 'authorize', outcome: 'declined' },
      { operation: 'inquiry', outcome: 'absent' },
    ],
  ],
  ['it has taken what was to be held', 'held', [authorized, { operation: 'inquiry', outcome: 'taken' }]],
  ['it holds what was to be taken', 'paid', [{ operation: 'inquiry', outcome: 'held' }]],
  ['a manual review has said the contrary', 'paid', [{ operation: 'manual', outcome: 'not_taken' }]],
]

const faults: IntegrityFault[] = [
  ...wrongEventFields.map(
    ([name, value]): IntegrityFault => [
      'has an event whose data does not match the payment',
      name,
      async (api) => {
        const { id } = await seedPaidPayment(api)
        await api.run(sql`update events set data = data || ${JSON.stringify({ [name]: value })}::jsonb
          where payment_id = ${id}`)
        return id
      },
    ],
  ),
  [
    'has an event whose data does not match the payment',
    'a name is missing',
    async (api) => {
      const { id } = await seedPaidPayment(api)
      await api.run(sql`update events set data = data - 'metadata' where payment_id = ${id}`)
      return id
    },
  ],
  [
    'is in an unknown state',
    'of no program',
    withChangedPayment({ state: 'failed', attempts: [{ state: 'declined' }] }, sql`state = 'lost'`),
  ],
  [
    'has an attempt in an unknown state',
    'of no program',
    withChangedAttempt({ state: 'failed', attempts: [{ state: 'declined' }] }, sql`state = 'lost'`),
  ],
  [
    'has attempts that are not numbered from 1 to its count',
    'the count is too high',
    withChangedPayment({ state: 'failed', attempts: [{ state: 'declined' }] }, sql`attempt_count = 2`),
  ],
  [
    'has attempts that are not numbered from 1 to its count',
    'a gap',
    withChangedAttempt({ attempts: [{ state: 'declined' }] }, sql`number = 2`),
  ],
  [
    'is held instead of paid, or paid instead of held',
    'paid',
    withChangedPayment({ state: 'paid', attempts: [approvedAttemptSeed] }, sql`pre_auth = true`),
  ],
  [
    'is held instead of paid, or paid instead of held',
    'held',
    withChangedPayment({ state: 'held', attempts: [approvedAttemptSeed] }, sql`pre_auth = false`),
  ],
  [
    'has an attempt that charges instead of holding, or holds instead of charging',
    'a hold for an ordinary payment',
    withChangedAttempt({ attempts: [{ state: 'declined' }] }, sql`pre_auth = true`),
  ],
  ...withoutEvidence.map(
    ([how, state, calls]): IntegrityFault => [
      'has an approved attempt without evidence from the bank or a manual review',
      how,
      async (api) => (await api.seed({ state, attempts: [{ ...approvedAttemptSeed, calls }] })).id,
    ],
  ),
  ...(['declined', 'abandoned'] as const).map(
    (state): IntegrityFault => [
      'has an attempt that the bank approved, but that neither counts as approved nor was undone',
      state,
      async (api) => (await api.seed({ attempts: [{ state, calls: [authorized] }] })).id,
    ],
  ),
  ...(['open', 'authenticating'] as const).map(
    (state): IntegrityFault => [
      'has an end time that does not match its state',
      `${state}, but ended`,
      withChangedPayment({ state, attempts: [{ state: 'authenticating' }] }, sql`ended_at = created_at`),
    ],
  ),
  ...(['paid', 'held'] as const).map(
    (state): IntegrityFault => [
      'has an end time that does not match its state',
      `${state}, but not ended`,
      withChangedPayment({ state, attempts: [approvedAttemptSeed] }, sql`ended_at = null`),
    ],
  ),
  [
    'has an attempt for which the bank was asked for the money more than once',
    'a second authorization',
    async (api) =>
      (
        await api.seed({
          state: 'paid',
          attempts: [{ ...approvedAttemptSeed, calls: [authorized, authorized] }],
        })
      ).id,
  ],
  ['waits for its payer without a due time', 'an open payment', withChangedPayment({}, sql`due_at = null`)],
  [
    'waits for its payer without a due time',
    'a payment in authentication',
    withChangedPayment(
      { state: 'authenticating', attempts: [{ state: 'authenticating' }] },
      sql`due_at = null`,
    ),
  ],
  [
    'has an attempt whose instrument is missing',
    'a paid payment',
    withChangedAttempt(
      { state: 'paid', attempts: [approvedAttemptSeed] },
      sql`instrument_fingerprint = 'lost'::bytea`,
    ),
  ],
  [
    'has a refund whose instrument is missing',
    'a refunded payment',
    withChangedRefund(
      { state: 'refunded', attempts: [approvedAttemptSeed] },
      sql`instrument_fingerprint = 'lost'::bytea`,
    ),
  ],
  [
    'waits for nothing, but still has a due time',
    'a failed payment',
    withChangedPayment({ state: 'failed' }, sql`due_at = expires_at`),
  ],
  [
    'has more attempts than allowed',
    'six declined ones',
    async (api) => {
      const declined = Array.from({ length: 6 }, () => ({ state: 'declined' as const }))
      return (await api.seed({ state: 'failed', attempts: declined })).id
    },
  ],
  ...(['authorizing', 'reversing'] as const).flatMap((state): IntegrityFault[] => [
    [
      'waits for the bank, but has a due time of its own',
      state,
      withChangedPayment({ state, attempts: [{ state }] }, sql`due_at = expires_at`),
    ],
    [
      'has an attempt that waits for the bank without a due time',
      state,
      withChangedAttempt({ state, attempts: [{ state }] }, sql`due_at = null`),
    ],
  ]),
  [
    'has a stored card of an attempt that is not in authentication',
    'the card of a declined attempt',
    async (api) => {
      const { id, attemptIds } = await api.seed({ state: 'failed', attempts: [{ state: 'declined' }] })
      const card = { merchantId: api.merchant.id, attemptId: attemptIds[0] ?? 0, bytes: Buffer.from('x') }
      await seed(api.services.sql, sealedCards, { ...card, keyId: 'a key', hour: 1 })
      return id
    },
  ],
  [
    'has an approved attempt that still has a due time',
    'a paid payment',
    withChangedAttempt({ state: 'paid', attempts: [approvedAttemptSeed] }, sql`due_at = began_at`),
  ],
]

const results = violationsOf(faults)
for (const [index, [what, how]] of faults.entries()) {
  it(`${what}: the check reports it (${how})`, async () => {
    const { violations } = await results
    assert.ok(violations[index]?.includes(what), `it is said: ${violations[index]?.join(', ')}`)
  })
}

it('the reversal of a late charge is no violation, whatever the state of its payment', async () => {
  const { services, run, seed: seedOne } = await integrityFixture()
  const { id } = await seedOne({ state: 'expired', attempts: [{ state: 'reversing' }] })
  await run(sql`update payment_attempts set due_at = ${services.clock.now()} where payment_id = ${id}`)
  assert.deepEqual((await checkIntegrity(services)).problems, [])
})
