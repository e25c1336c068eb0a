import { isoTime } from '../../kit/text/zoned-time.ts'
import { bankZone } from '../bank/issuer.ts'
import type { SandboxCharge } from '../bank/store.ts'
import type { SandboxTools } from '../bank/terminal.ts'
import type { ResponseDelivery } from '../cards/fault.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import { responseCodes } from '../cards/response-codes.ts'
import type { GatewayError } from './errors.ts'
import { gatewayErrors } from './errors.ts'
import { schemeOf } from './session.ts'
import type { Cc5Response } from './xml.ts'

/** The gateway's response, and how it is delivered. */
export interface GatewayAnswer {
  response: Cc5Response
  delivery: ResponseDelivery
}

export function plainAnswer(response: Cc5Response): GatewayAnswer {
  return { response, delivery: 'plain' }
}

/** Refusal by the gateway itself. */
export function refusedAnswer(tools: SandboxTools, orderId: string, error: GatewayError): GatewayAnswer {
  const [code, message] = gatewayErrors[error]
  return plainAnswer({
    fields: {
      OrderId: orderId,
      GroupId: orderId,
      Response: 'Error',
      AuthCode: '',
      HostRefNum: '',
      ProcReturnCode: '99',
      TransId: newTransId(tools),
      ErrMsg: message,
      ...siblingOf(code),
    },
    extra: { SETTLEID: '', TRXDATE: dateText(tools.clock.now()), ...insideOf(code), NUMCODE: numberOf(code) },
  })
}

/** Decline by the bank behind the gateway. It has no `AuthCode`. */
export function declinedAnswer(tools: SandboxTools, orderId: string, code: ResponseCode): GatewayAnswer {
  const error = `ISO8583-${code}`
  return plainAnswer({
    fields: {
      OrderId: orderId,
      GroupId: orderId,
      Response: 'Declined',
      HostRefNum: '',
      ProcReturnCode: code,
      TransId: newTransId(tools),
      ErrMsg: responseCodes[code].tr,
      ...siblingOf(error),
    },
    extra: { SETTLEID: '', TRXDATE: dateText(tools.clock.now()), ...insideOf(error), NUMCODE: code },
  })
}

/** Fields of a charge that an approval contains. */
export type ApprovedCharge = Pick<SandboxCharge, 'terminal' | 'reference' | 'card' | 'hostReference'> & {
  authCode: string
  at: Date
}

export function approvedAnswer(charge: ApprovedCharge, delivery: ResponseDelivery = 'plain'): GatewayAnswer {
  const { terminal, reference, card, hostReference, authCode, at } = charge
  const response: Cc5Response = {
    fields: {
      OrderId: reference,
      GroupId: reference,
      Response: 'Approved',
      AuthCode: authCode,
      HostRefNum: hostReference,
      ProcReturnCode: '00',
      TransId: transIdOf(hostReference, at),
      ErrMsg: '',
    },
    extra: {
      SETTLEID: settleIdOf(at),
      TRXDATE: dateText(at),
      ERRORCODE: '',
      TERMINALID: terminal.slice(-8).padStart(8, '0'),
      MERCHANTID: terminal,
      CARDBRAND: schemeOf(card),
      CARDISSUER: 'SANDBOX BANK',
      HOSTDATE: hostDateText(at),
      NUMCODE: '00',
    },
  }
  return { response, delivery }
}

/** `CORE-` codes are inside `Extra`. Codes of older systems are beside it. */
const isOlder = (code: string) => !code.startsWith('CORE-')

function siblingOf(code: string): Record<string, string> {
  return isOlder(code) ? { ERRORCODE: code } : {}
}

function insideOf(code: string): Record<string, string> {
  return isOlder(code) ? {} : { ERRORCODE: code }
}

function numberOf(code: string): string {
  return code.startsWith('CORE-') ? `99${code.slice(5)}` : code
}

/**
 * Fourteen characters: the year, the day of the year, a letter, and the bank's number of the charge in base
 * 36.
 */
export function transIdOf(hostReference: string, at: Date, letter = 'A'): string {
  return `${dayText(at)}${letter}${Number(hostReference).toString(36).toUpperCase().padStart(8, '0')}`
}

/** The bank's number of the charge; undefined if the text is not a transaction id. */
export function hostReferenceIn(transId: string): string | undefined {
  if (!/^\d{5}[A-Z][0-9A-Z]{8}$/.test(transId)) return undefined
  return String(Number.parseInt(transId.slice(6), 36)).padStart(12, '0')
}

function newTransId({ clock, random }: SandboxTools): string {
  const number = random.bytes(6).readUIntBE(0, 6) % 10 ** 12
  return transIdOf(String(number), clock.now(), 'X')
}

function dayText(at: Date): string {
  const day = isoTime(at, bankZone).slice(0, 10)
  const ofYear = (Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000 + 1
  return `${day.slice(2, 4)}${String(ofYear).padStart(3, '0')}`
}

/** Number of the batch that closes at the end of this day. */
function settleIdOf(at: Date): string {
  return String(Math.floor(Date.parse(isoTime(at, bankZone).slice(0, 10)) / 86_400_000) - 18_000)
}

/** `20221029 21:58:43`. */
function dateText(at: Date): string {
  const text = isoTime(at, bankZone)
  return `${text.slice(0, 10).replaceAll('-', '')} ${text.slice(11, 19)}`
}

/** `1029-215844`. */
export function hostDateText(at: Date): string {
  const text = isoTime(at, bankZone)
  return `${text.slice(5, 7)}${text.slice(8, 10)}-${text.slice(11, 19).replaceAll(':', '')}`
}

/** `2024-01-03 21:49:42.929`. */
export function timestampText(at: Date | undefined): string {
  if (!at) return ''
  const text = isoTime(at, bankZone)
  return `${text.slice(0, 10)} ${text.slice(11, 19)}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`
}
