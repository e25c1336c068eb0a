import type { Random } from '../../kit/security/random.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import type { CallbackTrick, MdStatus } from './cards.ts'

/** A payer at the gate, and what the gate found out. Of the card it has what is masked and what was decided by it. */
export interface GateSession {
  id: string
  clientId: string
  /** The merchant's own number of the order. */
  oid: string
  /** In minor units. */
  amount: number
  /** As the form had it: `949`. */
  currency: string
  installments: number
  language: Language
  /** Where the payer came from. */
  address: string
  /** The form without the card and without its hash: what is echoed. */
  fields: [name: string, value: string][]
  /** Masked. */
  card: string
  trick: CallbackTrick | null
  /** What the issuer will say to a charge. */
  code: ResponseCode
  fault: string | null
  /** What the payer has to type. */
  passcode: string
  wrongPasscodes: number
  /** Stands for the card towards the merchant. */
  md: string
  xid: string
  openedAt: Date
  /** Undefined while the payer is asked. */
  authentication: GateAuthentication | undefined
  /** When a charge was made with it; it is good for one. */
  usedAt: Date | null
}

/** What the gate found out about the payer. */
export interface GateAuthentication {
  mdStatus: MdStatus
  message: string
  eci: string
  cavv: string
}

/** What the gate says of a payer, with the proof that goes with it. */
export function newGateAuthentication(
  random: Random,
  card: string,
  mdStatus: MdStatus,
  message: string,
): GateAuthentication {
  // Who takes no part in 3-D Secure makes no proof, but the scheme has a word for it.
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

/** Whether a charge may follow. */
export function isAuthenticated({ mdStatus }: GateAuthentication): boolean {
  return mdStatus === '1' || isHalf(mdStatus)
}

export function schemeOf(card: string): 'VISA' | 'MASTERCARD' | 'AMEX' | 'TROY' {
  if (/^(5|2[2-7])/.test(card)) return 'MASTERCARD'
  if (/^3[47]/.test(card)) return 'AMEX'
  return /^(9792|65)/.test(card) ? 'TROY' : 'VISA'
}

/** Letters alone, so that on the page of a session the only six digits in a row are its passcode. */
export function newSessionId(random: Random): string {
  return random
    .bytes(16)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
}

export function newPasscode(random: Random): string {
  return String(random.bytes(4).readUInt32BE() % 1_000_000).padStart(6, '0')
}

/** `545103:5F…:3545:##700655000200`: looks as it does at such banks, and means nothing to anybody but the gate. */
export function newMd(random: Random, card: string, clientId: string): string {
  const secret = random.bytes(32).toString('hex').toUpperCase()
  const check = 1_000 + (random.bytes(2).readUInt16BE() % 9_000)
  return `${card.slice(0, 6)}:${secret}:${check}:##${clientId}`
}
