import { command } from '../../kit/command-line/command.ts'
import { choiceField, idField, objectSchema, textField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { refundShareOf } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { ManualDifferenceDecision, VerificationWithPayment } from '../payments/for-manual-settlement.ts'
import {
  acceptDifference,
  amountChargedAtBank,
  applyTransition,
  differenceDecisionAsBankCall,
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
  en: 'The bank has no surplus of it.',
}
const onlyHeld: LocalizedText = {
  tr: 'Henüz bir şey çekilmedi: ön provizyonu kapatınız, serbest bırakınız ya da accept seçiniz.',
  en: 'Nothing was taken yet: capture or release the hold, or choose accept.',
}

/** Decides about a difference. One choice is an ordinary refund. */
export const settleAmountDifferenceCommand = command({
  positionals: ['id'],
  input: objectSchema({
    id: idField('The attempt or the modification whose amount differs, as `vezne payment unknown` shows it.'),
    choice: choiceField('What is to be done about it.', ['return_surplus', 'refund_all', 'accept']),
    by: textField('Who decided it.', { max: 100 }),
    reason: textField('Why, in a sentence. The merchant reads it as the description of a refund.', {
      max: 500,
    }),
  }),
  run: async (services: Services, { id: approvalId, ...settlement }, print) => {
    const { merchant, context } = await requireOpenDifference(services, approvalId)
    const { paymentId, kind, currency } = context.verification
    switch (settlement.choice) {
      case 'accept':
        await acceptDifference(services, merchant, context, settlement)
        return print(`The ${kind} of payment ${paymentId} is accepted as it is.`)
      case 'return_surplus': {
        const surplusMinor = await refundSurplus(services, merchant, context, settlement)
        const amount = `${decimalText(surplusMinor, '.')} ${currency}`
        return print(`The bank is asked to give back ${amount} of payment ${paymentId}.`)
      }
      case 'refund_all': {
        if (kind === 'hold') throw invalidParameter('choice', onlyHeld)
        const refund = await refundAll(services, merchant, context, settlement)
        return print(
          `Refund ${refund.id} of payment ${paymentId} is ${refund.state}: vezne refund show ${refund.id}`,
        )
      }
    }
  },
})

/** Sum that the bank has of a payment beyond our ledger, by all its differences. */
function surplusOf({ payment, attempt, modifications }: VerificationWithPayment): number {
  const { amountMinor, refundedMinor } = payment
  const { chargedMinor, commissionMinor } = attempt
  const ours =
    chargedMinor -
    refundShareOf({ amountMinor, chargedMinor, commissionMinor }, 0, refundedMinor).chargedMinor
  return amountChargedAtBank(attempt) - totalRefundedByBank(modifications) - ours
}

/** Asks for a refund of all that is left of the payment. It gives back all that the bank has. */
async function refundAll(
  services: Services,
  merchant: Merchant,
  context: VerificationWithPayment,
  settlement: ManualDifferenceDecision,
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
      bankCall: await differenceDecisionAsBankCall(services, context, settlement),
      extraWrites: [markDifferencesDecidedPart],
    },
  )
}

/** Has the bank give the surplus back. Guarantee: once, whoever decides at the same time. */
async function refundSurplus(
  services: Services,
  merchant: Merchant,
  context: VerificationWithPayment,
  settlement: ManualDifferenceDecision,
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
    // Whoever decides otherwise at the same time finds another version.
    verification: { ...verification, needsReviewAt: null },
    newModification: newModification(attempt, draft, services.clock.now()),
    bankCall: await differenceDecisionAsBankCall(services, context, settlement),
  })
  if (!applied) throw new Error('It has just changed. Look at it again: vezne payment unknown')
  return surplusMinor
}
