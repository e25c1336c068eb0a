import { Type } from '../../../kit/input/schema.ts'
import type { PaymentCard } from '../../../kit/money/card.ts'
import { numericCountryCode, numericCurrencyCode } from '../../../kit/money/iso-numeric-codes.ts'
import { maxAmountMinor } from '../../../kit/money/money.ts'
import { parseInternationalPhone } from '../../../kit/text/phone.ts'
import type { OwnThreeDsAuthentication } from '../../connectors/index.ts'
import type { Contact } from '../../customers/index.ts'
import type { BrowserFacts } from './browser.ts'
import { browserElementsFrom } from './browser.ts'
import { buildMessage } from './build-message.ts'
import { cardholderNameElement, emailElement, phoneElement } from './cardholder-elements.ts'
import { clip, withoutControlCharacters } from './clip.ts'
import {
  digitsOfLengthSchema,
  isWebAddress,
  textOfLengthSchema,
  uuidSchema,
  webAddressSchema,
} from './element-schemas.ts'
import type { KnownTransaction } from './known-transaction.ts'
import { serverReferenceNumber } from './preq.ts'
import type { ProtocolVersion } from './versions.ts'

/** Data of an AReq for a payment in a browser. */
export interface AReqInput {
  /** Its id is the one that the 3DS Method was run with. */
  transaction: Pick<KnownTransaction, 'version' | 'isLive' | 'serverTransId'>
  /** Address that the directory server posts the RReq to. */
  resultsUrl: string
  /** Address that the browser posts the CRes to. */
  notificationUrl: string
  requestorUrl: string
  /** Registration of the merchant, who is also the 3DS Requestor, at the directory server. */
  own: OwnThreeDsAuthentication
  merchant: { name: string; country: string }
  card: PaymentCard
  contact: Contact | undefined
  amountMinor: number
  /** Three letters; the minor unit must have two digits. */
  currency: string
  purchasedAt: Date
  /** Y: the 3DS Method completed. N: it did not complete. U: the issuer has none. */
  methodCompletion: 'Y' | 'N' | 'U'
  browser: BrowserFacts
}

const challengeIndicatorSchemas: Readonly<Record<ProtocolVersion, ReturnType<typeof Type.String>>> = {
  '2.2.0': Type.String({ pattern: '^(?:0[1-9]|[89][0-9])$' }),
  '2.3.1': Type.String({ pattern: '^(?:0[1-9]|1[0-2]|[89][0-9])$' }),
}
const expirySchema = Type.String({ pattern: '^[0-9]{2}(?:0[1-9]|1[0-2])$' })
const phoneSchema = Type.Object({ cc: digitsOfLengthSchema(1, 3), subscriber: digitsOfLengthSchema(1, 15) })

/**
 * Builds the AReq for a payment. It contains the full card number: it may be sent to the directory server and
 * must never be stored. Guarantee: each element matches its schema; otherwise an error is thrown that names
 * elements and no values. A payment in installments is an ordinary payment here: the merchant charges once,
 * and the bank splits it. The protocol's instalment indicator is for merchants that charge several times.
 */
export function buildAReq(input: AReqInput) {
  const { transaction, resultsUrl, notificationUrl, requestorUrl, own, merchant, card, contact } = input
  const { version, isLive } = transaction
  for (const url of [resultsUrl, requestorUrl, notificationUrl]) {
    if (!isWebAddress(url, isLive))
      throw new Error('an address of ours may not be sent to a directory server')
  }
  const country = numericCountryCode(merchant.country) ?? '792'
  return buildMessage({
    messageType: 'AReq',
    messageVersion: version,
    messageCategory: '01',
    deviceChannel: '02',
    threeDSServerTransID: [transaction.serverTransId, uuidSchema],
    threeDSServerRefNumber: serverReferenceNumber,
    threeDSServerURL: [resultsUrl, webAddressSchema(2048)],
    threeDSRequestorID: [own.acquirerMerchantId, textOfLengthSchema(1, 35)],
    threeDSRequestorName: [nameOf(merchant), textOfLengthSchema(1, 40)],
    threeDSRequestorURL: [requestorUrl, webAddressSchema(2048)],
    threeDSRequestorAuthenticationInd: '01',
    threeDSRequestorChallengeInd: [own.challengeIndicator, challengeIndicatorSchemas[version]],
    threeDSCompInd: input.methodCompletion,
    acctNumber: [card.pan.reveal(), digitsOfLengthSchema(13, 19)],
    cardExpiryDate: [expiryOf(card), expirySchema],
    acquirerBIN: [own.acquirerBin, textOfLengthSchema(1, 11)],
    acquirerMerchantID: [own.acquirerMerchantId, textOfLengthSchema(1, 35)],
    mcc: [own.merchantCategory, digitsOfLengthSchema(4, 4)],
    merchantCountryCode: country,
    merchantName: [nameOf(merchant), textOfLengthSchema(1, 40)],
    notificationURL: [notificationUrl, webAddressSchema(256)],
    purchaseAmount: amountOf(input.amountMinor),
    purchaseCurrency: numericCurrencyCode(input.currency),
    purchaseExponent: '2',
    purchaseDate: [momentOf(input.purchasedAt), digitsOfLengthSchema(14, 14)],
    transType: '01',
    cardholderName: [cardholderNameElement(card.holder), textOfLengthSchema(2, 45), 'optional'],
    email: [contact && emailElement(contact.email), textOfLengthSchema(3, 254), 'optional'],
    mobilePhone: [contact && phoneElement(parseInternationalPhone(contact.phone)), phoneSchema, 'optional'],
    ...browserElementsFrom(input.browser, version),
  })
}

const longestName = 40

function nameOf({ name }: AReqInput['merchant']): string {
  return clip(withoutControlCharacters(name), longestName).trimEnd()
}

/** Expiry date as `YYMM`, for example `2608` for August 2026. */
function expiryOf({ expiryMonth, expiryYear }: PaymentCard): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(expiryYear % 100)}${two(expiryMonth)}`
}

function amountOf(amountMinor: number): string {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || amountMinor > maxAmountMinor) {
    throw new Error('the amount is not a whole number above zero')
  }
  return String(amountMinor)
}

/** Time in UTC, for example `20261115063000`. */
function momentOf(moment: Date): string {
  return moment.toISOString().slice(0, 19).replaceAll(/\D/g, '')
}
