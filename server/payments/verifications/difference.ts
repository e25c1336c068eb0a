import type { Static } from 'typebox'
import {
  nullableSchema,
  resourceSchema,
  shownChoiceSchema,
  shownCurrencySchema,
  shownIntegerSchema,
} from '../../../kit/api/resource.ts'
import type { EventKind } from '../../events/index.ts'
import type { Posting } from '../../ledger/index.ts'
import { postingsOfDifference } from '../../ledger/index.ts'
import type { DecisionEffects } from '../bank-calls/bank-work.ts'
import type { VerificationKind, VerificationWithPayment } from '../records/verification.ts'
import { surplusMinorOf } from '../records/verification.ts'

const eventOf: Readonly<Record<Exclude<VerificationKind, 'release'>, EventKind>> = {
  charge: 'payment.amount_differs',
  hold: 'pre_auth.amount_differs',
  capture: 'pre_auth.amount_differs',
  refund: 'refund.amount_differs',
}

/** The difference in an event, beside the transaction. */
export const ShownDifference = resourceSchema(
  'Difference',
  {
    tr: 'İstenen tutar ile bankadaki tutar arasındaki fark.',
    en: 'Difference between the requested amount and the bank’s amount.',
  },
  {
    operation: shownChoiceSchema(
      {
        tr: 'Tutarı farklı olan banka işlemi: `charge` tahsilat, `hold` ön provizyon, `capture` provizyon kapama, `refund` iade.',
        en: 'Bank operation whose amount differs: `charge`, `hold`, `capture` or `refund`.',
      },
      ['charge', 'hold', 'capture', 'refund'],
    ),
    refund_id: nullableSchema(
      shownIntegerSchema(
        {
          tr: 'İadede iadenin numarası; diğer işlemlerde null.',
          en: 'ID of the refund; null for other operations.',
        },
        10000000000456,
      ),
    ),
    requested_amount: shownIntegerSchema(
      { tr: 'Bankadan istenen tutar.', en: 'Amount requested from the bank.' },
      10000,
    ),
    bank_amount: shownIntegerSchema(
      { tr: 'Bankanın kayıtlarındaki tutar.', en: 'Amount in the bank’s records.' },
      10100,
    ),
    currency_code: shownCurrencySchema,
  },
)

/**
 * Event and postings of a difference, and the attempt with the bank's amount. The payment keeps its state.
 */
export function differenceEffects({
  payment,
  attempt,
  modifications,
  verification,
}: VerificationWithPayment): DecisionEffects {
  const { id, kind, amountMinor, bankAmountMinor, currency, modificationId } = verification
  if (kind === 'release' || bankAmountMinor === null)
    throw new Error(`the amount of a ${kind} does not differ`)
  const { refundId = null } = modifications.find((modification) => modification.id === modificationId) ?? {}
  const difference: Static<typeof ShownDifference> = {
    operation: kind,
    refund_id: refundId,
    requested_amount: amountMinor,
    bank_amount: bankAmountMinor,
    currency_code: currency,
  }
  const isCharge = kind === 'charge' || kind === 'capture'
  const surplusMinor = surplusMinorOf(kind, amountMinor, bankAmountMinor)
  const ledgerDifference = { paymentId: payment.id, refundId, operationId: id, currency, surplusMinor }
  // A hold is in no account.
  const postings: Posting[] = kind === 'hold' ? [] : postingsOfDifference(ledgerDifference)
  return {
    payment,
    ...(isCharge && { attempt: { ...attempt, bankChargedMinor: bankAmountMinor } }),
    eventToEmit: { kind: eventOf[kind], extraData: { difference } },
    postings,
  }
}
