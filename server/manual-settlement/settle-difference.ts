import { command } from '../../kit/command-line/command.ts'
import { choiceField, idField, objectSchema, textField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { refundShareOf } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { ManualDecision, VerificationWithPayment } from '../payments/for-manual-settlement.ts'
import {
  acceptDifference,
  amountChargedAtBank,
  applyTransition,
  manualDecisionAsBankCall,
  markDifferencesDecidedPart,
  newModification,
  requireOpenDifference,
  totalRefundedByBank,
} from '../payments/for-manual-settlement.ts'
import type { Refund } from '../refunds/for-manual-settlement.ts'
import { requestRefund } from '../refunds/for-manual-settlement.ts'
import type { Services } from '../services.ts'

const noSurplus: LocalizedText = {
  tr: 'Bankada fazladan çekilmiş bir tutar yok.',
  en: 'The bank has no surplus for this payment.',
}
const onlyHeld: LocalizedText = {
  tr: 'Henüz tahsilat yapılmadı: ön provizyonu kapatın, iptal edin veya accept seçin.',
  en: 'Nothing was captured yet: capture or release the hold, or choose accept.',
}

/** Settles a difference. One choice creates an ordinary refund. */
export const settleAmountDifferenceCommand = command({
  positionals: ['id'],
  input: objectSchema({
    id: idField('Id of the attempt or the modification whose amount differs, from `vezne payment unknown`.'),
    choice: choiceField('Decision.', ['return_surplus', 'refund_all', 'accept']),
    by: textField('Name of the person who decided.', { max: 100 }),
    reason: textField('Reason in one sentence. The merchant reads it as the description of a refund.', {
      max: 500,
    }),
  }),
  run: async (services: Services, { id: approvalId, choice, ...by }, print) => {
    const { merchant, context } = await requireOpenDifference(services, approvalId)
    const { paymentId, kind, currency } = context.verification
    const settlement = { ...by, outcome: choice }
    switch (choice) {
      case 'accept':
        await acceptDifference(services, merchant, context, settlement)
        return print(`The difference of the ${kind} of payment ${paymentId} is accepted.`)
      case 'return_surplus': {
        const surplusMinor = await refundSurplus(services, merchant, context, settlement)
        const amount = `${decimalText(surplusMinor, '.')} ${currency}`
        return print(`The service asks the bank to refund ${amount} of payment ${paymentId}.`)
      }
      case 'refund_all': {
        if (kind === 'hold') throw invalidParameter('choice', onlyHeld)
        const refund = await refundAll(services, merchant, context, settlement)
        return print(
          `Refund ${refund.id} of payment ${paymentId} is ${refund.state}. To follow it: vezne refund show ${refund.id}`,
        )
      }
    }
  },
})

/** Sum at the bank beyond our ledger, over all differences of a payment. */
function surplusOf({ payment, attempt, modifications }: VerificationWithPayment): number {
  const { amountMinor, refundedMinor } = payment
  const { chargedMinor, commissionMinor } = attempt
  const ours =
    chargedMinor -
    refundShareOf({ amountMinor, chargedMinor, commissionMinor }, 0, refundedMinor).chargedMinor
  return amountChargedAtBank(attempt) - totalRefundedByBank(modifications) - ours
}

/** Requests a refund of the rest of the payment. The bank is asked to refund its whole amount. */
async function refundAll(
  services: Services,
  merchant: Merchant,
  context: VerificationWithPayment,
  settlement: ManualDecision,
): Promise<Refund> {
  const { payment } = context
  return requestRefund(
    services,
    merchant,
    {
      paymentId: payment.id,
      amountMinor: payment.amountMinor - payment.refundedMinor,
      description: settlement.reason,
      by: settlement.by,
    },
    {
      bankCall: await manualDecisionAsBankCall(services, context, settlement),
      extraWrites: [markDifferencesDecidedPart(payment)],
    },
  )
}

/**
 * Starts the refund of the surplus. Guarantee: it starts once, even if several operators decide at the same
 * time.
 */
async function refundSurplus(
  services: Services,
  merchant: Merchant,
  context: VerificationWithPayment,
  settlement: ManualDecision,
): Promise<number> {
  const { payment, attempt, modifications, verification } = context
  const surplusMinor = surplusOf(context)
  if (verification.kind === 'hold') throw invalidParameter('choice', onlyHeld)
  if (surplusMinor <= 0) throw invalidParameter('choice', noSurplus)
  const draft = {
    id: await services.ids.next(),
    kind: 'refund' as const,
    refundId: null,
    amountMinor: surplusMinor,
    priorRefundedMinor: totalRefundedByBank(modifications),
  }
  const applied = await applyTransition(services, merchant, {
    before: { payment, verification },
    payment,
    // A concurrent decision fails on the changed version.
    verification: { ...verification, needsReviewAt: null },
    newModification: newModification(attempt, draft, services.clock.now()),
    bankCall: await manualDecisionAsBankCall(services, context, settlement),
  })
  if (!applied) throw new Error('It has changed in the meantime. Look at it again: vezne payment unknown')
  return surplusMinor
}
