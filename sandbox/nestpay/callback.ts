import { decimalText } from '../../kit/money/money.ts'
import type { Random } from '../../kit/security/random.ts'
import type { CallbackTrick } from './cards.ts'
import type { FormFields } from './form.ts'
import { hashOf } from './hash.ts'
import type { GateAuthentication, GateSession } from './session.ts'
import { isAuthenticated } from './session.ts'
import { merchantName, storeKeyOf, turkishMerchantName } from './shop.ts'

/** Form that the payer's browser posts to the merchant. */
export interface GateCallback {
  url: string
  fields: FormFields
  charset: 'UTF-8' | 'ISO-8859-9'
  isTwice: boolean
}

/** A form that the gate refused, and the reason. */
export interface FailedForm {
  clientId: string
  /** Echoed fields of the form. */
  echo: FormFields
  /** Fields that report the failure. */
  failureFields: Readonly<Record<string, string>>
}

/** Return addresses in a form; undefined unless both are valid. */
export function returnUrlsIn(form: FormFields): { okUrl: string; failUrl: string } | undefined {
  const [okUrl = '', failUrl = ''] = [form.get('okUrl'), form.get('failUrl')]
  return isAddress(okUrl) && isAddress(failUrl) ? { okUrl, failUrl } : undefined
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Fields that the callback echoes: all except the card and the fields that the gate sets itself. */
export function echoedFields(form: FormFields): FormFields {
  const left = ['pan', 'cv2', 'hash', 'rnd', 'hashalgorithm']
  return new Map([...form].filter(([name]) => !left.includes(name.toLowerCase())))
}

/**
 * Callback about a payer. Its hash is correct unless the trick is `wrong hash`, even if other fields are
 * false.
 */
export function callbackOf(
  random: Random,
  session: GateSession,
  authentication: GateAuthentication,
): GateCallback {
  const { clientId, trick } = session
  const echo = new Map(session.fields)
  const returnUrls = returnUrlsIn(echo)
  if (!returnUrls) throw new Error('a session was opened without a way back')
  const fields = new Map([...echo, ...Object.entries(authenticationFields(session, authentication))])
  if (trick) alter(fields, trick, session)
  return {
    url: isAuthenticated(authentication) ? returnUrls.okUrl : returnUrls.failUrl,
    fields: signed(random, fields, storeKeyOf(trick === 'wrong hash' ? `${clientId}0` : clientId)),
    charset: trick === 'latin5' ? 'ISO-8859-9' : 'UTF-8',
    isTwice: trick === 'doubled',
  }
}

/** Callback about a form that the gate refused. */
export function failureCallback(random: Random, { clientId, echo, failureFields }: FailedForm): GateCallback {
  const fields = new Map([...echo, ...Object.entries(failureFields)])
  const url = echo.get('failUrl') ?? ''
  return { url, fields: signed(random, fields, storeKeyOf(clientId)), charset: 'UTF-8', isTwice: false }
}

/** Fields that 3-D Secure adds. A field without a value is absent, not empty. */
function authenticationFields(
  session: GateSession,
  { mdStatus, message, eci, cavv }: GateAuthentication,
): Record<string, string> {
  const { clientId, card, address, md, xid, id } = session
  const status = { 0: 'N', 1: 'Y', 4: 'A' }[mdStatus as string]
  return {
    mdStatus,
    md,
    xid,
    mdErrorMsg: message,
    ...(eci === '' ? {} : { eci }),
    ...(cavv === '' ? {} : { cavv }),
    ...(status ? { txstatus: status } : {}),
    PAResVerified: String(status !== undefined),
    PAResSyntaxOK: String(status !== undefined),
    version: '2.0',
    merchantID: clientId,
    merchantName,
    ...maskedFields(card),
    clientIp: address,
    traceId: id,
    TRANID: '',
    digest: 'digest',
    callbackCall: 'true',
  }
}

/** Card number as this bank writes it: `5451 03** **** 0018`. */
export function groupedCardNumber(card: string): string {
  return card.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

function maskedFields(card: string): Record<string, string> {
  return { maskedCreditCard: groupedCardNumber(card), MaskedPan: `${card.slice(0, 6)}***${card.slice(-4)}` }
}

function alter(
  fields: Map<string, string>,
  trick: CallbackTrick,
  { amount, currency, installments }: GateSession,
): void {
  if (trick === 'other amount') fields.set('amount', decimalText(amount + 100, '.'))
  if (trick === 'other order') fields.set('oid', `${fields.get('oid')}-2`)
  if (trick === 'other currency') fields.set('currency', currency === '949' ? '840' : '949')
  if (trick === 'other installments') fields.set('taksit', installments === 1 ? '3' : '')
  if (trick === 'no status') fields.delete('mdStatus')
  if (trick === 'latin5') fields.set('merchantName', turkishMerchantName).set('encoding', 'ISO-8859-9')
}

function signed(random: Random, fields: FormFields, storeKey: string): FormFields {
  const rnd = random.bytes(15).toString('base64')
  const whole = new Map([...fields, ['hashAlgorithm', 'ver3'], ['rnd', rnd]])
  return whole.set('HASH', hashOf(whole, storeKey))
}
