import type { Static } from 'typebox'
import { matchesSchema, Type } from '../../../kit/input/schema.ts'
import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import type { BankAnswer, BankDecline, BankReferences } from '../contract/contract.ts'
import {
  approvedCode,
  gatewayDeclineReason,
  gatewayErrorCode,
  issuerDeclineReason,
} from './decline-reasons.ts'
import { redactedLineOrNull } from './trace.ts'
import type { NestpayResponse } from './xml.ts'
import { readResponseXml } from './xml.ts'

const words = Type.String({ maxLength: 1000 })

const OrderResponse = Type.Object({
  Response: Type.Union([Type.Literal('Approved'), Type.Literal('Declined'), Type.Literal('Error')]),
  ProcReturnCode: Type.String({ pattern: '^[0-9A-Z]{2}$' }),
  OrderId: Type.Optional(Type.String({ maxLength: 100 })),
  ErrMsg: Type.Optional(words),
  ERRORCODE: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z_-]{0,20}$' })),
})

/** Bank's answer about an order, or the reason why it is unreadable. */
export function readOrderResponse(
  came: HttpResponse,
): (NestpayResponse & { own: Static<typeof OrderResponse> }) | { why: string } {
  const response = readResponseXml(came)
  if ('why' in response) return response
  const { own, extra } = response
  return matchesSchema(OrderResponse, own) ? { own, extra } : { why: 'the answer has an unknown format' }
}

/**
 * Reads the answer to a charge or a modification. It names only the order, so the amount is verified by a
 * query. Guarantee: an approval says so in both places and names this order; after a decline nothing was
 * done; all other answers are unknown.
 */
export function readAnswer(came: HttpResponse, reference: string): BankAnswer {
  const response = readOrderResponse(came)
  if ('why' in response) return { outcome: 'unknown', why: response.why }
  const { Response: word, ProcReturnCode: code, OrderId: order = '' } = response.own
  const isApproved = word === 'Approved'
  if (isApproved !== (code === approvedCode))
    return { outcome: 'unknown', why: 'the answer contradicts itself' }
  const isOurs = order === reference
  // For an unknown or unreadable order, the gateway answers without an order id.
  if (!isOurs && !(code === gatewayErrorCode && order === ''))
    return { outcome: 'unknown', why: 'the answer is about another charge' }
  if (!isApproved) return refusalIn(response)
  const done = { echoed: { reference }, code, message: messageIn(response) }
  return { outcome: 'approved', ...done, bankReferences: referencesIn(response) }
}

function refusalIn(response: NestpayResponse & { own: Static<typeof OrderResponse> }): BankAnswer {
  const { ProcReturnCode: code } = response.own
  const error = errorCodeIn(response)
  if (error === undefined) return { outcome: 'unknown', why: 'the answer contradicts itself' }
  const isGateways = code === gatewayErrorCode
  const reason = isGateways
    ? gatewayDeclineReason(error, response.own.ErrMsg ?? '')
    : issuerDeclineReason(code)
  if (!reason) return { outcome: 'unknown', why: `the bank answered with ${code} ${error}`.trim() }
  const refusal: BankDecline = {
    outcome: 'declined',
    reason,
    code: isGateways ? error || code : code,
    message: messageIn(response),
  }
  return refusal
}

/** Error code in `Extra` or beside it; undefined if the two differ. */
function errorCodeIn({ own, extra }: NestpayResponse): string | undefined {
  const codes = [own['ERRORCODE'], extra['ERRORCODE']].filter((code) => code !== undefined && code !== '')
  const [code = '', other = code] = codes
  return code === other && /^[0-9A-Za-z_-]{0,20}$/.test(code) ? code : undefined
}

export function messageIn({ own }: NestpayResponse): string | null {
  return redactedLineOrNull(own['ErrMsg'] ?? '')
}

/** Bank's references of the operation. */
function referencesIn({ own, extra }: NestpayResponse): BankReferences {
  return validBankReferences({
    transId: own['TransId'],
    hostRefNum: own['HostRefNum'],
    authCode: own['AuthCode'],
    settleId: extra['SETTLEID'],
  })
}

/** Keeps references that are present and short, and that cannot hold a card number. */
export function validBankReferences(candidates: Record<string, string | undefined>): BankReferences {
  const isReference = (value: string | undefined): value is string =>
    value !== undefined && /^[0-9A-Za-z]{1,20}$/.test(value) && !/\d{13}/.test(value)
  return Object.fromEntries(
    Object.entries(candidates).filter((entry): entry is [string, string] => isReference(entry[1])),
  )
}

export const notFoundMessage = 'No record found for '

/** True for a not-found message about this order, with or without an error code. */
export function isOrderNotFound({ own, extra }: NestpayResponse, reference: string): boolean {
  const isOurs = own['OrderId'] === '' || own['OrderId'] === undefined || own['OrderId'] === reference
  const isEmpty = (extra['ORD_ID'] ?? '') === '' && (extra['TRANS_STAT'] ?? '') === '' && !extra['TRX1']
  return isOurs && isEmpty && own['ErrMsg'] === `${notFoundMessage}${reference}`
}
