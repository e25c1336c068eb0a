import type { Static } from 'typebox'
import { matchesSchema, Type } from '../../../kit/input/schema.ts'
import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import type { ChargeInquiry, ChargeStatus } from '../contract/contract.ts'
import { minorFromDigits } from './amount.ts'
import { approvedCode, issuerDeclineReason } from './decline-reasons.ts'
import type { OrderHistorySummary } from './history.ts'
import {
  isOrderNotFound,
  messageIn,
  notFoundMessage,
  readOrderResponse,
  validBankReferences,
} from './read-answer.ts'
import type { NestpayResponse } from './xml.ts'

const short = Type.String({ maxLength: 100 })

/** Order in the bank's records, amounts in minor units. */
const Order = Type.Object({
  ORD_ID: short,
  TRANS_STAT: Type.String({ pattern: '^[A-Z]{1,5}$' }),
  CHARGE_TYPE_CD: Type.Union([Type.Literal('S'), Type.Literal('C')]),
  ORIG_TRANS_AMT: Type.String({ pattern: '^\\d{0,14}$' }),
  CAPTURE_AMT: Type.Optional(Type.String({ pattern: '^\\d{0,14}$' })),
  PROC_RET_CD: Type.Optional(Type.String({ pattern: '^[0-9A-Z]{0,2}$' })),
  AUTH_CODE: Type.Optional(short),
})

type Order = Static<typeof Order>

/** The order has refunds: its history must be read for their sum. */
export const historyNeededSentinel = 'ask for the history'

/**
 * Reads the status of an order. Guarantee: an answer about another order, or one that contradicts itself, is
 * unknown. The bank names no currency.
 */
export function readChargeStatus(
  came: HttpResponse,
  inquiry: ChargeInquiry,
): ChargeStatus | typeof historyNeededSentinel {
  const response = readOrderResponse(came)
  if ('why' in response) return unknownStatus(response.why)
  if (isOrderNotFound(response, inquiry.reference)) return { status: 'absent' }
  const { own, extra } = response
  if (own['ErrMsg']?.startsWith(notFoundMessage)) return unknownStatus('the answer contradicts itself')
  if (own['Response'] !== 'Approved' || own['ProcReturnCode'] !== approvedCode)
    return unknownStatus(`the query was refused with ${own['ProcReturnCode']}`)
  if (!matchesSchema(Order, extra)) return unknownStatus('the answer has an unknown format')
  if (own['OrderId'] !== inquiry.reference || extra.ORD_ID !== inquiry.reference)
    return unknownStatus('the answer is about another charge')
  if (!isConsistent(extra)) return unknownStatus('the answer contradicts itself')
  return extra.CHARGE_TYPE_CD === 'C'
    ? historyNeededSentinel
    : chargeStatusOf(response, extra, inquiry.reference)
}

function chargeStatusOf(response: NestpayResponse, order: Order, reference: string): ChargeStatus {
  const captured = minorFromDigits(order.CAPTURE_AMT ?? '')
  const held = minorFromDigits(order.ORIG_TRANS_AMT)
  const isDone = order.PROC_RET_CD === approvedCode
  const done = (amountMinor: number) => ({
    echoed: { reference, amountMinor },
    refundedMinor: 0,
    code: approvedCode,
    // The bank's message is about the query, not about the charge.
    message: null,
    bankReferences: validBankReferences({
      transId: response.extra['TRANS_ID'],
      hostRefNum: response.extra['HOST_REF_NUM'],
      authCode: response.extra['AUTH_CODE'],
      settleId: response.extra['SETTLEID'],
    }),
  })
  switch (order.TRANS_STAT) {
    case 'A':
      return isDone && held && !captured
        ? { status: 'held', ...done(held) }
        : unknownStatus('the hold has no amount')
    case 'C':
    case 'S':
      return isDone && captured
        ? { status: 'taken', ...done(captured) }
        : unknownStatus('the sale has no amount')
    case 'V':
    case 'CNCL':
      return { status: 'undone' }
    case 'D':
    case 'ERR':
      return refusalOf(response, order)
    default:
      return unknownStatus(`the order has the unknown state ${order.TRANS_STAT}`)
  }
}

/** A failed order with an approval code was approved at some time, so its outcome is unknown. */
function refusalOf(
  response: NestpayResponse,
  { PROC_RET_CD: code = '', AUTH_CODE: approval = '' }: Order,
): ChargeStatus {
  if (code === approvedCode || approval !== '')
    return unknownStatus('the order has failed, but was approved before')
  const message = /^Record\(s\) found/.test(response.own['ErrMsg'] ?? '') ? null : messageIn(response)
  return {
    status: 'declined',
    reason: issuerDeclineReason(code) ?? 'other',
    code: code || 'declined',
    message,
  }
}

/** The bank repeats the fields in one line. If the line differs, the answer is unknown. */
function isConsistent(order: Order & { ORDERSTATUS?: string }): boolean {
  const fields = (order.ORDERSTATUS ?? '').split('\t').map((field) => /^(\w+):(.*)$/s.exec(field) ?? [])
  const values: Readonly<Record<string, string | undefined>> = order
  const compared = ['ORD_ID', 'TRANS_STAT', 'CHARGE_TYPE_CD', 'ORIG_TRANS_AMT', 'CAPTURE_AMT']
  return fields.every(
    ([, name = '', value]) => !compared.includes(name) || (values[name] ?? '') === value?.trim(),
  )
}

/** Status of an order with refunds: undone if fully refunded; otherwise taken, with the full amount. */
export function chargeStatusFromHistory(history: OrderHistorySummary, reference: string): ChargeStatus {
  if (history.order === 'unclear') return unknownStatus(history.why)
  if (history.order === 'none') return unknownStatus('the history has a credit without a sale')
  const { takenMinor, refundedMinor, references } = history
  if (refundedMinor >= takenMinor) return { status: 'undone' }
  const terms = {
    echoed: { reference, amountMinor: takenMinor },
    refundedMinor,
    code: approvedCode,
    message: null,
  }
  return { status: 'taken', ...terms, bankReferences: references }
}

export function unknownStatus(why: string): { status: 'unknown'; why: string } {
  return { status: 'unknown', why }
}
