import type { Static } from 'typebox'
import {
  nullableSchema,
  resourceSchema,
  shownChoiceSchema,
  shownCurrencySchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, jsonb, text, timestamptz } from '../../kit/runtime/table.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { DeclineReason } from '../connectors/index.ts'
import type { EventKind } from '../events/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { waitsForBankDayEnd } from '../payments/for-refunds.ts'
import type { RefundPolicy } from './policy.ts'
import type { RuleViolation } from './review-rules.ts'

export const refundStates = ['under_review', 'approved', 'executed', 'rejected', 'failed'] as const

export type RefundState = (typeof refundStates)[number]

/** Transition from one state to another, and the event that it emits. */
interface Edge {
  from: RefundState | 'nothing'
  to: RefundState
  when: string
  event?: EventKind
}

/** All transitions of a refund. */
export const refundStateEdges: readonly Edge[] = [
  { from: 'nothing', to: 'under_review', when: 'the merchant asks for it', event: 'refund.created' },
  { from: 'under_review', to: 'approved', when: 'the rules, or a manual review, approve' },
  {
    from: 'under_review',
    to: 'rejected',
    when: 'the rules, or a manual review, reject',
    event: 'refund.rejected',
  },
  { from: 'approved', to: 'executed', when: 'the bank has given it back', event: 'refund.executed' },
  { from: 'approved', to: 'failed', when: 'the bank refuses to give it back', event: 'refund.failed' },
]

/** Event of a transition, if it emits one. Throws for an unknown transition, which is a bug. */
export function refundTransitionEventKind(
  from: RefundState | 'nothing',
  to: RefundState,
): EventKind | undefined {
  const edge = refundStateEdges.find((candidate) => candidate.from === from && candidate.to === to)
  if (!edge) throw new Error(`a refund does not go from ${from} to ${to}`)
  return edge.event
}

export const refunds = defineMerchantTable('refunds', {
  merchantId: bigint(),
  id: bigint(),
  paymentId: bigint(),
  state: text<RefundState>(),
  /** Refunded part of the payment's amount. */
  amountMinor: bigint(),
  currency: text(),
  /** Amount the payer receives: the refunded part with its share of the installment surcharge. */
  chargedMinor: bigint(),
  /** The bank's commission in that amount, which the bank returns too. */
  commissionMinor: bigint(),
  description: text(),
  /** Instrument that the money goes back to. */
  instrumentFingerprint: bytea(),
  requestedBy: text(),
  requestedAt: timestamptz(),
  policy: text<RefundPolicy['policy']>(),
  /** Time of the review by rules; null if an operator decides. */
  dueAt: timestamptz().orNull(),
  violations: jsonb<RuleViolation[]>(),
  decidedBy: text().orNull(),
  decidedAt: timestamptz().orNull(),
  /** Reason for the decision. */
  reason: text().orNull(),
  endedAt: timestamptz().orNull(),
  /** Code and message of the bank's response. */
  code: text().orNull(),
  message: text().orNull(),
})

/** A merchant's request to return all or part of a payment, from the request to its outcome. */
export interface Refund extends Omit<RowOf<typeof refunds>, 'instrumentFingerprint'> {
  /** Time of the next call to the bank, and the reason for its last refusal; null unless approved. */
  nextBankCallAt: Date | null
  declineReason: DeclineReason | null
}

/** Reasons for an open refund to wait. */
export const refundWaitReasons = ['review', 'bank_day', 'bank_answer'] as const

export type RefundWaitReason = (typeof refundWaitReasons)[number]

/**
 * Returns the wait reason of a refund and the time of the service's next step. The time promises no outcome.
 */
export function waitReasonAndDueAt(refund: Refund): {
  waitsFor: RefundWaitReason | null
  dueAt: Date | null
} {
  const { state, dueAt, nextBankCallAt } = refund
  if (state === 'under_review') return { waitsFor: 'review', dueAt }
  if (state !== 'approved') return { waitsFor: null, dueAt: null }
  return { waitsFor: waitsForBankDayEnd(refund) ? 'bank_day' : 'bank_answer', dueAt: nextBankCallAt }
}

/** Refund as its merchant sees it in lists and events. */
export const ShownRefund = resourceSchema(
  'Refund',
  { tr: 'Bir işlemin iade talebi.', en: 'Refund of a transaction.' },
  {
    id: shownIntegerSchema({ tr: 'İade numarası.', en: 'ID of the refund.' }, 10000000000456),
    transaction_id: shownIntegerSchema(
      { tr: 'İade edilen işlemin numarası.', en: 'ID of the transaction.' },
      10000000000123,
    ),
    amount: shownIntegerSchema(
      {
        tr: 'İade tutarı, en küçük para birimi cinsinden (kuruş, sent).',
        en: 'Refund amount in the minor unit.',
      },
      5000,
    ),
    currency_code: shownCurrencySchema,
    formatted_amount: shownTextSchema(
      { tr: 'Tutarın noktayla ayrılmış ondalık yazımı.', en: 'Amount as decimal text with a dot.' },
      '50.00',
    ),
    status: shownChoiceSchema(
      {
        tr: 'İadenin durumu: `under_review` incelemede, `approved` onaylandı ve bankanın yanıtı bekleniyor, `executed` iade edildi, `rejected` incelemede reddedildi, `failed` banka iadeyi yapmadı.',
        en: 'Status of the refund: `under_review`, `approved` and waiting for the bank, `executed`, `rejected` by the review, `failed` at the bank.',
      },
      refundStates,
      'approved',
    ),
    waiting_for: nullableSchema(
      shownChoiceSchema(
        {
          tr: 'İadenin neyi beklediği: `review` güvenlik incelemesini, `bank_day` bankanın gün sonunu (banka, çekimin yapıldığı gün kısmi iade yapmaz), `bank_answer` bankanın yanıtını; iade sonuçlandıysa null.',
          en: 'Reason of the wait: `review` for the security review, `bank_day` for the end of the bank’s day (the bank makes no partial refunds on the day of the charge), `bank_answer` for the bank’s response; null after the outcome.',
        },
        refundWaitReasons,
        'bank_day',
      ),
    ),
    due_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'Bir sonraki adımın tarihi ve saati: otomatik inceleme veya bankaya yeniden sorma zamanı. Sonucun o anda belli olacağı anlamına gelmez. İncelemeyi bir kişi yapacaksa veya iade sonuçlandıysa null.',
          en: 'Time of the next step: the automatic review, or the next request to the bank. It does not promise an outcome at that time. Null if a person reviews the refund, and after the outcome.',
        },
        '2026-11-16T00:15:00+03:00',
      ),
    ),
    description: shownTextSchema(
      { tr: 'İade talebinde verilen gerekçe.', en: 'Reason given in the refund request.' },
      'Ürün iade edildi',
    ),
    reason: nullableSchema(
      shownTextSchema(
        {
          tr: 'Reddedildiyse ret nedeni, banka iadeyi yapmadıysa bankanın yanıtı; diğer durumlarda null.',
          en: 'Reason of the rejection, or the bank’s response if the refund failed; otherwise null.',
        },
        null,
      ),
    ),
    created_at: shownTimeSchema({
      tr: 'İadenin talep edildiği tarih ve saat.',
      en: 'Time of the refund request.',
    }),
    reviewed_at: nullableSchema(
      shownTimeSchema({
        tr: 'İncelemenin bittiği tarih ve saat; bitmediyse null.',
        en: 'Time at which the review ended; null before that.',
      }),
    ),
    end_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'İadenin sonuçlandığı tarih ve saat; sonuçlanmadıysa null.',
          en: 'Time of the outcome; null before the outcome.',
        },
        null,
      ),
    ),
  },
)

export function shownRefund(
  refund: Refund,
  { timeZone }: Pick<Merchant, 'timeZone'>,
): Static<typeof ShownRefund> {
  const { decidedAt, endedAt } = refund
  const { waitsFor, dueAt } = waitReasonAndDueAt(refund)
  return {
    id: refund.id,
    transaction_id: refund.paymentId,
    amount: refund.amountMinor,
    currency_code: refund.currency,
    formatted_amount: decimalText(refund.amountMinor, '.'),
    status: refund.state,
    waiting_for: waitsFor,
    due_at: dueAt && isoTime(dueAt, timeZone),
    description: refund.description,
    reason: shownReason(refund),
    created_at: isoTime(refund.requestedAt, timeZone),
    reviewed_at: decidedAt && isoTime(decidedAt, timeZone),
    end_at: endedAt && isoTime(endedAt, timeZone),
  }
}

/**
 * The merchant sees the reason for a rejection or failure. The reason for an approval is for operators only.
 */
function shownReason({ state, reason, code, message }: Refund): string | null {
  if (state === 'rejected') return reason
  if (state !== 'failed') return null
  return [code, message].filter((part) => part !== null).join(' ') || null
}
