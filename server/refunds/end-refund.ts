import { postingsOfRefund } from '../ledger/index.ts'
import type { Consequence, Sequel } from '../payments/index.ts'
import { stateOfPaid } from '../payments/index.ts'
import { countRefund } from './count-refunds.ts'
import { shownRefund, toldOf } from './refund.ts'
import { changedRefundPart, refundById } from './store.ts'

/** What becomes of a refund and its payment when the bank has given back, or refuses to. */
export const endRefund: Sequel = async (services, merchant, { payment, deed }) => {
  const { sql, clock } = services
  const { merchantId, refundId, code, message } = deed
  const refund = refundId === null ? undefined : await refundById(sql, { merchantId, id: refundId })
  // That it is still approved follows from its deed: if that has ended meanwhile, nothing of this is written.
  if (!refund) throw new Error('a deed carries out a refund that is there')
  const state = deed.state === 'done' ? ('executed' as const) : ('failed' as const)
  const ended = { ...refund, state, endedAt: clock.now(), code, message }
  const kind = toldOf('approved', state)
  const told: Consequence = {
    onceWritten: () => countRefund(services, ended),
    tells: { kind, beside: { refund: shownRefund(ended, merchant) } },
    also: [changedRefundPart(ended)],
  }
  if (state === 'failed') return { payment: { ...payment, refundId: null }, ...told }
  const refundedMinor = payment.refundedMinor + refund.amountMinor
  const { id, paymentId, currency, chargedMinor, commissionMinor } = refund
  return {
    payment: stateOfPaid({ ...payment, refundId: null, refundedMinor }),
    posts: postingsOfRefund({ paymentId, refundId: id, currency, chargedMinor, commissionMinor }),
    ...told,
  }
}
