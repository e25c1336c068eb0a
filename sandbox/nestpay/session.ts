import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineTable, integer, jsonb, text, timestamptz } from '../../kit/runtime/table.ts'
import type { Random } from '../../kit/security/random.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import type { CallbackTrick, MdStatus } from './cards.ts'

export const gateSessions = defineTable('sandbox.gate_sessions', {
  id: text(),
  clientId: text(),
  /** The merchant's order number. */
  oid: text(),
  /** In minor units. */
  amount: bigint(),
  /** ISO 4217 number from the form, such as `949`. */
  currency: text(),
  installments: integer(),
  language: text<Language>(),
  /** Client address of the payer. */
  address: text(),
  /** Fields that the callback echoes: the form without the card and without its hash. */
  fields: jsonb<[name: string, value: string][]>(),
  /** Masked. */
  card: text(),
  trick: text<CallbackTrick>().orNull(),
  /** The issuer's decision on a charge. */
  code: text<ResponseCode>(),
  fault: text().orNull(),
  /** Code the payer must type. */
  passcode: text(),
  wrongPasscodes: integer(),
  /** Token that the merchant sends instead of the card number. */
  md: text(),
  xid: text(),
  openedAt: timestamptz(),
  /** Null while the challenge is open. */
  authentication: jsonb<GateAuthentication>().orNull(),
  /** Time of the charge that used the session; a session allows one charge. */
  usedAt: timestamptz().orNull(),
})

/**
 * A payer at the gate, and the result of the authentication. It contains the masked card and the decisions
 * based on the card.
 */
export type GateSession = RowOf<typeof gateSessions>

/** Result of the gate for a payer. */
export interface GateAuthentication {
  mdStatus: MdStatus
  message: string
  eci: string
  cavv: string
}

/** Result of the gate with its proof. */
export function newGateAuthentication(
  random: Random,
  card: string,
  mdStatus: MdStatus,
  message: string,
): GateAuthentication {
  // A card that is not enrolled has no CAVV, although its scheme defines an ECI.
  const hasProof = mdStatus === '1' || mdStatus === '4'
  return {
    mdStatus,
    message,
    eci: eciOf(card, mdStatus),
    cavv: hasProof ? random.bytes(20).toString('base64') : '',
  }
}

function eciOf(card: string, mdStatus: MdStatus): string {
  const isMastercard = schemeOf(card) === 'MASTERCARD'
  if (mdStatus === '1') return isMastercard ? '02' : '05'
  if (isHalf(mdStatus)) return isMastercard ? '01' : '06'
  return ''
}

function isHalf(mdStatus: MdStatus): boolean {
  return ['2', '3', '4'].includes(mdStatus)
}

/** True if the gate's result allows a charge. */
export function isAuthenticated({ mdStatus }: GateAuthentication): boolean {
  return mdStatus === '1' || isHalf(mdStatus)
}

export function schemeOf(card: string): 'VISA' | 'MASTERCARD' | 'AMEX' | 'TROY' {
  if (/^(5|2[2-7])/.test(card)) return 'MASTERCARD'
  if (/^3[47]/.test(card)) return 'AMEX'
  return /^(9792|65)/.test(card) ? 'TROY' : 'VISA'
}

/** Letters only, so that the passcode is the only six digits in a row on the page. */
export function newSessionId(random: Random): string {
  return random
    .bytes(16)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
}

export function newPasscode(random: Random): string {
  return String(random.bytes(4).readUInt32BE() % 1_000_000).padStart(6, '0')
}

/**
 * `545103:5F…:3545:##700655000200`: has the format of real banks, and is opaque to everyone except the gate.
 */
export function newMd(random: Random, card: string, clientId: string): string {
  const secret = random.bytes(32).toString('hex').toUpperCase()
  const check = 1_000 + (random.bytes(2).readUInt16BE() % 9_000)
  return `${card.slice(0, 6)}:${secret}:${check}:##${clientId}`
}
