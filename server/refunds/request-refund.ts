import { envelopeResponseDefinition, nullResultSchema, route } from '../../kit/api/route.ts'
import { moneyField, objectSchema, optionalNotBlank, textField } from '../../kit/input/fields.ts'
import type { Complaints, Refusal } from '../../kit/input/refusals.ts'
import { invalidParameter, Refused } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { upcomingWork } from '../instances/index.ts'
import { refundShareOf } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import {
  applyTransition,
  conflictSentinel,
  paymentById,
  requireApprovedAttempt,
  retryOnConflict,
  transactionIdField,
  unknownTransactionComplaint,
} from '../payments/for-refunds.ts'
import type { AttemptWithPayment, Payment } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { RefundPolicy } from './policy.ts'
import type { Refund } from './refund.ts'
import { refunds, refundTransitionEventKind, shownRefund } from './refund.ts'
import { incrementRefundCounter } from './refund-metrics.ts'
import { notRefundable, refundAlreadyOpen, refundAlreadyOpenDetails } from './refusals.ts'
import { insertRefundPart, policyOrDefault, refundById } from './store.ts'

const RequestRefund = objectSchema({
  transaction_id: transactionIdField,
  amount: optionalNotBlank(
    moneyField(
      {
        tr: 'İade tutarı, en küçük para birimi cinsinden (kuruş, sent); gönderilmezse işlemin tutarı.',
        en: 'Amount to refund, in the minor unit; default is the amount of the transaction.',
      },
      { example: 5000 },
    ),
  ),
  description: textField(
    { tr: 'İadenin gerekçesi.', en: 'Reason for the refund.' },
    { max: 1000, example: 'Ürün iade edildi' },
  ),
})

export const requestRefundRoute = route({
  method: 'POST',
  url: '/v1/transaction/refund',
  summary: { tr: 'İade talebi oluştur', en: 'Create refund request' },
  description: {
    tr: 'Ödenmiş bir işlemin tamamı veya bir kısmı için iade talebi oluşturur. Talep güvenlik incelemesinden geçer; onaylanırsa iade bankada gerçekleştirilir. Sonucu iade listesinden veya `refund.executed`, `refund.rejected` ve `refund.failed` olaylarından öğrenin. Bir işlemin aynı anda sonuçlanmamış tek bir iade talebi olabilir.',
    en: 'Requests a full or partial refund of a paid transaction. The request is reviewed and, if approved, executed at the bank. Learn the outcome from the list of refunds, or from the events `refund.executed`, `refund.rejected` and `refund.failed`. A transaction can have only one refund without an outcome at a time.',
  },
  credential: 'secret',
  body: RequestRefund,
  answer: envelopeResponseDefinition(nullResultSchema, {
    tr: 'İade talebiniz oluşturuldu; güvenlik incelemesinden sonra gerçekleştirilecek.',
    en: 'The refund request was created and will be executed after a security review.',
  }),
  refusals: [refundAlreadyOpen, notRefundable],
  objections: (services: Services, merchant: Merchant, { body }) =>
    objectionsTo(services, merchant, { paymentId: body.transaction_id, amountMinor: body.amount }),
  handle: async (services: Services, merchant: Merchant, { body, key }) => {
    const { transaction_id: paymentId, amount: amountMinor, description } = body
    await requestRefund(services, merchant, { paymentId, amountMinor, description, by: `key ${key.id}` })
    return null
  },
})

export interface RequestRefundInput {
  paymentId: number
  /** Default: the amount of the payment. */
  amountMinor?: number | undefined
  description: string
  by: string
}

/**
 * Requests a refund. Guarantees: if several requests arrive at the same time, one is accepted; executed and
 * open refunds together never exceed the captured amount; `extraWrites` and `bankCall` commit together with
 * the refund.
 */
export async function requestRefund(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
  merchant: Merchant,
  input: RequestRefundInput,
  {
    extraWrites = [],
    ...beside
  }: Pick<Parameters<typeof applyTransition>[2], 'bankCall' | 'extraWrites'> = {},
): Promise<Refund> {
  const policy = await policyOrDefault(services.sql, merchant)
  return retryOnConflict(async () => {
    const payment = await paymentById(services.sql, merchant.id, input.paymentId)
    if (!payment) throw invalidParameter('transaction_id', unknownTransactionComplaint)
    const amountMinor = await refundable(services, merchant, payment, input)
    const attempt = await requireApprovedAttempt(services, payment)
    const refund = await newRefund(services, { payment, attempt }, { ...input, amountMinor }, policy)
    const applied = await applyTransition(services, merchant, {
      before: { payment },
      payment: { ...payment, refundId: refund.id },
      eventToEmit: {
        kind: refundTransitionEventKind('nothing', 'under_review'),
        extraData: { refund: shownRefund(refund, merchant) },
      },
      extraWrites: [insertRefundPart(refund, attempt.instrument), ...extraWrites],
      ...beside,
    })
    if (!applied) return conflictSentinel
    upcomingWork(services).announce(refund.dueAt, refund.requestedAt)
    incrementRefundCounter(services, refund)
    return refund
  })
}

/** Complaints that need the payment: it does not exist, or the amount exceeds the refundable amount. */
async function objectionsTo(
  { sql }: Pick<Services, 'sql'>,
  merchant: Merchant,
  { paymentId, amountMinor }: { paymentId: number | undefined; amountMinor: number | undefined },
): Promise<Complaints> {
  if (paymentId === undefined) return new Map()
  const payment = await paymentById(sql, merchant.id, paymentId)
  if (!payment) return new Map([['transaction_id', [unknownTransactionComplaint]]])
  const excess = obstacleOf(payment) ? undefined : excessOf(payment, amountMinor ?? payment.amountMinor)
  return new Map(excess ? [['amount', [excess]]] : [])
}

/** Amount to refund; throws if it cannot be refunded. */
async function refundable(
  services: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
  payment: Payment,
  input: RequestRefundInput,
): Promise<number> {
  const obstacle = obstacleOf(payment)
  if (obstacle) throw await refusalFor(obstacle, services, merchant, payment)
  const amountMinor = input.amountMinor ?? payment.amountMinor
  const excess = excessOf(payment, amountMinor)
  if (excess) throw invalidParameter('amount', excess)
  return amountMinor
}

/** The refusal; for an open refund with its wait reason. */
async function refusalFor(
  obstacle: Refusal,
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
  { refundId }: Payment,
): Promise<Refused> {
  const open = refundId && (await refundById(sql, { merchantId: merchant.id, id: refundId }))
  return new Refused(obstacle, open ? refundAlreadyOpenDetails(open, merchant, clock.now()) : {})
}

function obstacleOf({ refundId, state }: Payment): Refusal | undefined {
  if (refundId !== null) return refundAlreadyOpen
  return state === 'paid' || state === 'partly_refunded' ? undefined : notRefundable
}

function excessOf(payment: Payment, amountMinor: number): LocalizedText | undefined {
  const leftMinor = payment.amountMinor - payment.refundedMinor
  if (amountMinor <= leftMinor) return undefined
  const left = (mark: '.' | ',') => `${decimalText(leftMinor, mark)} ${payment.currency}`
  return {
    tr: `İade edilebilecek tutarı aşıyor: en fazla ${leftMinor} (${left(',')}) iade edilebilir.`,
    en: `Exceeds the refundable amount: at most ${leftMinor} (${left('.')}).`,
  }
}

async function newRefund(
  services: Pick<Services, 'clock' | 'ids'>,
  { payment, attempt }: AttemptWithPayment,
  { amountMinor, description, by }: RequestRefundInput & { amountMinor: number },
  { policy, delaySeconds }: RefundPolicy,
): Promise<Refund> {
  const { chargedMinor, commissionMinor } = attempt
  const charge = { amountMinor: payment.amountMinor, chargedMinor, commissionMinor }
  const now = services.clock.now()
  return {
    ...refunds.nulls,
    merchantId: payment.merchantId,
    id: await services.ids.next(),
    paymentId: payment.id,
    state: 'under_review',
    amountMinor,
    currency: payment.currency,
    ...refundShareOf(charge, payment.refundedMinor, amountMinor),
    description,
    requestedBy: by,
    requestedAt: now,
    policy,
    dueAt: policy === 'automatic' ? new Date(now.getTime() + delaySeconds * 1000) : null,
    violations: [],
    nextBankCallAt: null,
    declineReason: null,
  }
}
