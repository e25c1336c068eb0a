import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { FaultSeeder, IntegrityFault } from '../../testing/faults/integrity-faults.ts'
import {
  approvedAttemptSeed,
  violationsOf,
  withChangedModification,
  withChangedPayment,
  withChangedRefund,
  withoutRows,
} from '../../testing/faults/integrity-faults.ts'
import type { PaymentSeed } from '../../testing/seed/payment.ts'

const attempts = [approvedAttemptSeed]
const held: PaymentSeed = { state: 'held', attempts }
const capturing: PaymentSeed = { state: 'capturing', attempts }
const releasing: PaymentSeed = { state: 'releasing', attempts }
const captured: PaymentSeed = { state: 'paid', preAuth: true, attempts }
const released: PaymentSeed = { state: 'failed', resolution: 'release', attempts }
const notTaken: PaymentSeed = { state: 'failed', resolution: 'capture', attempts }
const paid: PaymentSeed = { state: 'paid', attempts }
const refunded: PaymentSeed = { state: 'refunded', attempts }
const partly: PaymentSeed = { state: 'partly_refunded', attempts }
const openRefund = (state: 'under_review' | 'approved'): PaymentSeed => ({
  ...paid,
  refunds: [{ amountMinor: 4_000, state }],
})
const twoParts: PaymentSeed = { ...partly, refunds: [{ amountMinor: 4_000 }, { amountMinor: 5_000 }] }

/** Gives the payment the first modification of another payment. */
function withModificationOf(seed: PaymentSeed, other: PaymentSeed): FaultSeeder {
  return async (api) => {
    const { id } = await api.seed(seed)
    const { modificationIds } = await api.seed(other)
    await api.run(sql`update modifications set payment_id = ${id} where id = ${modificationIds[0]}`)
    return id
  }
}

const notResolved = 'has modifications that do not match its resolution'
const resolutions: IntegrityFault[] = [
  [notResolved, 'captured, but it is not paid', withChangedPayment(captured, sql`state = 'held'`)],
  [notResolved, 'paid, but it was to be let go', withChangedPayment(captured, sql`resolution = 'release'`)],
  [
    notResolved,
    'paid, but it is still to be captured',
    withChangedModification(captured, sql`state = 'doing'`),
  ],
  [notResolved, 'being captured, but nobody does it', withoutRows(capturing, sql`modifications where true`)],
  [notResolved, 'being released, but that is done', withChangedModification(releasing, sql`state = 'done'`)],
  [notResolved, 'let go, but that was refused', withChangedModification(released, sql`state = 'refused'`)],
  [
    notResolved,
    'not to be taken, and never let go',
    withoutRows(notTaken, sql`modifications where kind = 'release'`),
  ],
  [notResolved, 'a modification that nobody asked for', withModificationOf(held, capturing)],
  [notResolved, 'never a pre-authorization', withChangedPayment(captured, sql`pre_auth = false`)],
  [
    'was resolved, but who resolved it or when is not stored',
    'by whom',
    withChangedPayment(capturing, sql`resolved_by = null`),
  ],
  [
    'was resolved, but who resolved it or when is not stored',
    'when',
    withChangedPayment(released, sql`resolved_at = null`),
  ],
  [
    'was resolved, but who resolved it or when is not stored',
    'it was not resolved',
    withChangedPayment(held, sql`resolved_by = 'nobody'`),
  ],
]

const otherSum =
  'has a refunded amount that differs from the sum of its executed refunds, or exceeds its amount'
const otherState = 'is in a state that does not match its refunded amount'
const otherOpen = 'names the wrong open refund'
const otherModification = 'has a refund whose modification is missing, or has the wrong state or amount'
const otherEnd = 'has a refund whose review or end does not match its state'
const otherShare = 'has a refund with a wrong share of the charge or the commission'
const otherTransfers = 'is paid, but its transfers do not match its charge and its refunds'
const refunds: IntegrityFault[] = [
  [otherSum, 'less', withChangedPayment(refunded, sql`refunded = refunded - 1`)],
  [otherSum, 'of what was not refunded', withChangedPayment(paid, sql`refunded = 1`)],
  [otherSum, 'of a refund that failed', withChangedRefund(partly, sql`state = 'failed'`)],
  [
    otherSum,
    'more than there was',
    async (api) => {
      const { id, refundIds } = await api.seed(refunded)
      await api.run(sql`update refunds set amount = amount + 1 where id = ${refundIds[0]}`)
      return id
    },
  ],
  [otherState, 'paid', withChangedPayment(partly, sql`state = 'paid'`)],
  [otherState, 'refunded in full', withChangedPayment(partly, sql`state = 'refunded'`)],
  [otherState, 'not refunded at all', withChangedPayment(paid, sql`state = 'refunded'`)],
  [
    otherOpen,
    'none, but one is under review',
    withChangedPayment(openRefund('under_review'), sql`refund_id = null`),
  ],
  [otherOpen, 'none, but one is approved', withChangedPayment(openRefund('approved'), sql`refund_id = null`)],
  [otherOpen, 'another', withChangedPayment(openRefund('approved'), sql`refund_id = refund_id + 1`)],
  [otherOpen, 'one that has ended', withChangedPayment(partly, sql`refund_id = 5`)],
  ['has refunds, but was never paid', 'a failed one', withChangedPayment(partly, sql`state = 'failed'`)],
  [
    otherModification,
    'executed, but it is still being done',
    withChangedModification(refunded, sql`state = 'doing'`),
  ],
  [
    otherModification,
    'executed, but it was refused',
    withChangedModification(refunded, sql`state = 'refused'`),
  ],
  [otherModification, 'executed by nobody', withoutRows(refunded, sql`modifications where true`)],
  [
    otherModification,
    'approved, but it is done',
    withChangedModification(openRefund('approved'), sql`state = 'done'`),
  ],
  [
    otherModification,
    'under review, but it is being done',
    withChangedRefund(openRefund('approved'), sql`state = 'under_review'`),
  ],
  [otherModification, 'of another amount', withChangedModification(partly, sql`amount = amount - 1`)],
  [otherEnd, 'executed, and never decided', withChangedRefund(partly, sql`decided_at = null`)],
  [otherEnd, 'decided by nobody', withChangedRefund(partly, sql`decided_by = null`)],
  [otherEnd, 'decided for no reason', withChangedRefund(partly, sql`reason = null`)],
  [otherEnd, 'executed at no time', withChangedRefund(partly, sql`ended_at = null`)],
  [
    otherEnd,
    'ended, and under review',
    withChangedRefund(openRefund('under_review'), sql`ended_at = requested_at`),
  ],
  [
    otherEnd,
    'approved, and to be reviewed',
    withChangedRefund(openRefund('approved'), sql`due_at = requested_at`),
  ],
  [
    'has a refund in a currency other than its own',
    'in euro',
    withChangedRefund(partly, sql`currency = 'EUR'`),
  ],
  [otherShare, 'more to the payer', withChangedRefund(partly, sql`charged = charged + 1`)],
  [
    otherShare,
    'less of the commission',
    withChangedRefund(openRefund('under_review'), sql`commission = commission - 1`),
  ],
  [
    otherShare,
    'as if it were the first',
    async (api) => {
      const { id, refundIds } = await api.seed({
        ...partly,
        attempts: [{ ...approvedAttemptSeed, commissionMinor: 1 }],
        refunds: [{ amountMinor: 5_000 }, { amountMinor: 2_000 }],
      })
      await api.run(sql`update refunds set commission = commission + 1 where id = ${refundIds[1]}`)
      return id
    },
  ],
  [
    otherTransfers,
    'of a refund none',
    withoutRows(partly, sql`ledger_transfers where refund_id is not null`),
  ],
  [
    otherTransfers,
    'without its commission',
    withoutRows(refunded, sql`ledger_transfers where reason = 'refund_commission'`),
  ],
  [otherTransfers, 'of a refund that failed', withChangedRefund(partly, sql`state = 'failed'`)],
]

const notItsCharge = 'has a modification that does not match its approved charge'
const notItsRefund = 'has a modification whose refund is missing or belongs to another payment'
const calls = sql`bank_calls where modification_id is not null`
const changedCall = (seed: PaymentSeed, change: SqlFragment): FaultSeeder => {
  return async (api) => {
    const { id, modificationIds } = await api.seed(seed)
    await api.run(sql`update bank_calls set ${change} where modification_id = ${modificationIds[0]}`)
    return id
  }
}
const notDone = 'has a done modification without evidence from the bank or a manual review'
const notRefused = 'has a refused modification without evidence from the bank or a manual review'
const modifications: IntegrityFault[] = [
  [notItsCharge, 'that of another payment', withModificationOf(held, capturing)],
  [notItsCharge, 'an attempt that was not approved', changedModificationOfDeclined()],
  [notItsCharge, 'through another POS', withChangedModification(refunded, sql`pos_id = 2`)],
  [notItsCharge, 'a part of what is held', withChangedModification(captured, sql`amount = amount - 1`)],
  [notItsRefund, 'no refund', withChangedModification(refunded, sql`refund_id = null`)],
  [notItsRefund, 'that of another payment', withModificationOf(paid, refunded)],
  [notItsRefund, 'a capture of a refund', withChangedModification(captured, sql`refund_id = 5`)],
  [
    'has a modification with a wrong sum of earlier refunds',
    'the first',
    withChangedModification(partly, sql`prior_refunded = 1`),
  ],
  [
    'has a modification with a wrong sum of earlier refunds',
    'the second',
    async (api) => {
      const { id, modificationIds } = await api.seed(twoParts)
      await api.run(sql`update modifications set prior_refunded = 0 where id = ${modificationIds[1]}`)
      return id
    },
  ],
  [notDone, 'it was never asked', withoutRows(captured, calls)],
  [notDone, 'it has not answered', changedCall(refunded, sql`answered_at = null, outcome = null`)],
  [notDone, 'it has refused', changedCall(captured, sql`outcome = 'declined'`)],
  [notDone, 'it still holds it', changedCall(captured, sql`operation = 'inquiry', outcome = 'held'`)],
  [notDone, 'it still has it', changedCall(refunded, sql`operation = 'inquiry', outcome = 'taken'`)],
  [
    notDone,
    'a manual review has said the contrary',
    changedCall(released, sql`operation = 'manual', outcome = 'not_done'`),
  ],
  [notRefused, 'it was never asked', withoutRows(notTaken, sql`${calls} and operation = 'capture'`)],
  [notRefused, 'it has said nothing', changedCall(notTaken, sql`outcome = 'unknown'`)],
  [
    'has a refused modification that the bank has executed',
    'a capture',
    changedCall(notTaken, sql`outcome = 'approved'`),
  ],
  [
    'has a refused modification that the bank has executed',
    'a refund',
    async (api) => {
      const seed = await api.seed({ ...paid, refunds: [{ amountMinor: 4_000, state: 'failed' }] })
      await api.run(sql`update bank_calls set operation = 'inquiry', outcome = 'undone'
        where modification_id = ${seed.modificationIds[0]}`)
      return seed.id
    },
  ],
  [
    'has an open modification without a due time, or with an end time',
    'no time',
    withChangedModification(capturing, sql`due_at = null`),
  ],
  [
    'has an open modification without a due time, or with an end time',
    'it has ended',
    withChangedModification(openRefund('approved'), sql`ended_at = began_at`),
  ],
  [
    'has an ended modification that is still due or in review, or without an end time',
    'by the service',
    withChangedModification(captured, sql`due_at = began_at`),
  ],
  [
    'has an ended modification that is still due or in review, or without an end time',
    'in manual review',
    withChangedModification(refunded, sql`needs_review_at = began_at`),
  ],
  [
    'has an ended modification that is still due or in review, or without an end time',
    'it ended at no time',
    withChangedModification(released, sql`ended_at = null`),
  ],
]

function changedModificationOfDeclined(): FaultSeeder {
  return async (api) => {
    const { id, attemptIds } = await api.seed({
      ...paid,
      attempts: [{ state: 'declined' }, approvedAttemptSeed],
    })
    const { modificationIds } = await api.seed(refunded)
    await api.run(
      sql`update modifications set payment_id = ${id}, attempt_id = ${attemptIds[0]} where id = ${modificationIds[0]}`,
    )
    return id
  }
}

for (const faults of [resolutions, refunds, modifications]) {
  const results = violationsOf(faults)
  for (const [index, [what, how]] of faults.entries()) {
    it(`${what}: the check reports it (${how})`, async () => {
      const { violations, falsePositives: wrongly } = await results
      assert.ok(violations[index]?.includes(what), `it is said: ${violations[index]?.join(', ')}`)
      assert.deepEqual(wrongly, [])
    })
  }
}
