import { postingsOfRefund, postingsOfSurplusRefund } from '../ledger/index.ts'
import type { DecisionEffects, Modification, OutcomeHandler } from '../payments/for-refunds.ts'
import {
  completesFullRefund,
  markDifferencesSettledPart,
  markDifferencesUndecidedPart,
  withStateByRefundedAmount,
} from '../payments/for-refunds.ts'
import type { Payment } from '../payments/index.ts'
import { refundTransitionEventKind, shownRefund } from './refund.ts'
import { incrementRefundCounter } from './refund-metrics.ts'
import { refundById, updateRefundPart } from './store.ts'

/** Ends a refund and updates its payment after the bank executed or refused it. */
export const onRefundOutcome: OutcomeHandler = async (services, merchant, context) => {
  const { payment, modification } = context
  const { sql, clock } = services
  const { merchantId, refundId, code, message } = modification
  if (refundId === null) return onSurplusRefundOutcome(payment, modification, clock.now())
  const refund = await refundById(sql, { merchantId, id: refundId })
  // No check for the approved state: if the modification has already ended, nothing here is written.
  if (!refund) throw new Error('the refund of a modification does not exist')
  const state = modification.state === 'done' ? ('executed' as const) : ('failed' as const)
  const ended = { ...refund, state, endedAt: clock.now(), code, message }
  const kind = refundTransitionEventKind('approved', state)
  const effects: DecisionEffects = {
    afterWrite: () => incrementRefundCounter(services, ended),
    eventToEmit: { kind, extraData: { refund: shownRefund(ended, merchant) } },
    extraWrites: [updateRefundPart(ended)],
  }
  if (state === 'failed')
    return {
      ...effects,
      payment: { ...payment, refundId: null },
      extraWrites: [updateRefundPart(ended), markDifferencesUndecidedPart(payment, clock.now())],
    }
  const refundedMinor = payment.refundedMinor + refund.amountMinor
  const { id, paymentId, currency, chargedMinor, commissionMinor } = refund
  const surplusRefundedMinor = modification.amountMinor - chargedMinor
  return {
    ...effects,
    payment: withStateByRefundedAmount({ ...payment, refundId: null, refundedMinor }),
    postings: [
      ...postingsOfRefund({ paymentId, refundId: id, currency, chargedMinor, commissionMinor }),
      ...postingsOfSurplusRefund({
        paymentId,
        refundId: id,
        operationId: modification.id,
        currency,
        surplusRefundedMinor,
      }),
    ],
    // After the last refund the bank has returned its whole amount, so no difference is left.
    ...(refundedMinor === payment.amountMinor &&
      completesFullRefund(context) && {
        extraWrites: [updateRefundPart(ended), markDifferencesSettledPart(payment)],
      }),
  }
}

/** Ends the refund of a surplus. If the bank refuses it, the difference goes back to manual review. */
function onSurplusRefundOutcome(
  payment: Payment,
  { id, paymentId, state, amountMinor }: Modification,
  now: Date,
): DecisionEffects {
  if (state !== 'done') return { extraWrites: [markDifferencesUndecidedPart(payment, now)] }
  const { currency } = payment
  const returned = { paymentId, refundId: null, operationId: id, currency, surplusRefundedMinor: amountMinor }
  return {
    payment,
    postings: postingsOfSurplusRefund(returned),
    extraWrites: [markDifferencesSettledPart(payment)],
  }
}
