import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import type { SecretPan } from '../../../kit/money/card.ts'
import { numericCurrencyCode } from '../../../kit/money/iso-numeric-codes.ts'
import { maxAmountMinor } from '../../../kit/money/money.ts'
import type { Phone } from '../../../kit/text/phone.ts'
import type { BrowserElements } from './browser.ts'
import { browserElementSchemasFor } from './browser.ts'
import { buildMessageWithSchema } from './build-message-with-schema.ts'
import { cardholderNameElement, emailElement, phoneElement } from './cardholder-elements.ts'
import { clip, withoutControlCharacters } from './clip.ts'
import {
  digitsOfLengthSchema,
  enumSchema,
  textOfLengthSchema,
  uuidSchema,
  webAddressSchema,
} from './element-schemas.ts'
import type { ThreeDsServerIdentity } from './preq.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'
import type { MerchantEnvironment } from './web-address.ts'
import { isWebAddress } from './web-address.ts'

/** Data of an AReq for a payment in a browser. */
export interface AReqInput {
  version: ProtocolVersion
  environment: MerchantEnvironment
  /** Transaction id that the 3DS Method was run with. */
  serverTransId: string
  server: ThreeDsServerIdentity & {
    /** Address that the directory server posts the RReq to. */
    url: string
  }
  /** Identity of the 3DS Requestor, as registered with the scheme. */
  requestor: { id: string; name: string; url: string }
  acquirer: { bin: string; merchantId: string }
  merchant: {
    name: string
    /** Three digits, ISO 3166-1. */
    countryNumber: string
    /** Four digits, ISO 18245. */
    category: string
  }
  card: {
    pan: SecretPan
    expiryMonth: number
    /** Four digits, for example 2030. */
    expiryYear: number
    /** Undefined if unknown. */
    type?: 'credit' | 'debit' | undefined
  }
  holder: { name: string; email: string | null; phone: Phone | null }
  amountMinor: number
  /** Three letters; the minor unit must have two digits. */
  currency: string
  purchasedAt: Date
  /** Address that the browser posts the CRes to. */
  notificationUrl: string
  /** Y: the 3DS Method completed. N: it did not complete. U: the issuer has none. */
  methodCompletion: 'Y' | 'N' | 'U'
  challengeIndicator: string
  browser: BrowserElements
}

const schemaOf = (version: ProtocolVersion) =>
  Type.Object({
    messageType: Type.Literal('AReq'),
    messageVersion: enumSchema(...supportedVersions),
    messageCategory: Type.Literal('01'),
    deviceChannel: Type.Literal('02'),
    threeDSServerTransID: uuidSchema,
    threeDSServerRefNumber: textOfLengthSchema(1, 32),
    threeDSServerOperatorID: Type.Optional(textOfLengthSchema(1, 32)),
    threeDSServerURL: webAddressSchema(2048),
    threeDSRequestorID: textOfLengthSchema(1, 35),
    threeDSRequestorName: textOfLengthSchema(1, 40),
    threeDSRequestorURL: webAddressSchema(2048),
    threeDSRequestorAuthenticationInd: Type.Literal('01'),
    threeDSRequestorChallengeInd: Type.String({
      pattern: version === '2.2.0' ? '^(?:0[1-9]|[89][0-9])$' : '^(?:0[1-9]|1[0-2]|[89][0-9])$',
    }),
    threeDSCompInd: enumSchema('Y', 'N', 'U'),
    acctNumber: digitsOfLengthSchema(13, 19),
    acctType: Type.Optional(enumSchema('02', '03')),
    cardExpiryDate: Type.String({ pattern: '^[0-9]{2}(?:0[1-9]|1[0-2])$' }),
    acquirerBIN: textOfLengthSchema(1, 11),
    acquirerMerchantID: textOfLengthSchema(1, 35),
    mcc: digitsOfLengthSchema(4, 4),
    merchantCountryCode: digitsOfLengthSchema(3, 3),
    merchantName: textOfLengthSchema(1, 40),
    notificationURL: webAddressSchema(256),
    purchaseAmount: digitsOfLengthSchema(1, 48),
    purchaseCurrency: digitsOfLengthSchema(3, 3),
    purchaseExponent: Type.Literal('2'),
    purchaseDate: digitsOfLengthSchema(14, 14),
    transType: Type.Literal('01'),
    cardholderName: Type.Optional(textOfLengthSchema(2, 45)),
    email: Type.Optional(textOfLengthSchema(3, 254)),
    mobilePhone: Type.Optional(
      Type.Object({ cc: digitsOfLengthSchema(1, 3), subscriber: digitsOfLengthSchema(1, 15) }),
    ),
    ...browserElementSchemasFor(version),
  })

export const AReqSchemas = { '2.2.0': schemaOf('2.2.0'), '2.3.1': schemaOf('2.3.1') } as const

/** Contains the full card number: it may be sent to the directory server and must never be stored. */
export type AReqMessage = Static<(typeof AReqSchemas)[ProtocolVersion]>

/**
 * Builds the AReq for a payment. Guarantee: it matches its schema; otherwise an error is thrown that names
 * elements and no values. A payment in installments is an ordinary payment here: the merchant charges once,
 * and the bank splits it. The protocol's instalment indicator is for merchants that charge several times.
 */
export function buildAReq(input: AReqInput): AReqMessage {
  const { version, environment, server, requestor, acquirer, merchant, card, holder } = input
  for (const url of [server.url, requestor.url, input.notificationUrl]) {
    if (!isWebAddress(url, environment))
      throw new Error('an address of ours may not be sent to a directory server')
  }
  return buildMessageWithSchema(AReqSchemas[version], {
    messageType: 'AReq',
    messageVersion: version,
    messageCategory: '01',
    deviceChannel: '02',
    threeDSServerTransID: input.serverTransId,
    threeDSServerRefNumber: server.referenceNumber,
    threeDSServerOperatorID: server.operatorId,
    threeDSServerURL: server.url,
    threeDSRequestorID: requestor.id,
    threeDSRequestorName: nameOf(requestor.name),
    threeDSRequestorURL: requestor.url,
    threeDSRequestorAuthenticationInd: '01',
    threeDSRequestorChallengeInd: input.challengeIndicator,
    threeDSCompInd: input.methodCompletion,
    acctNumber: card.pan.reveal(),
    acctType: card.type && accountTypes[card.type],
    cardExpiryDate: expiryOf(card),
    acquirerBIN: acquirer.bin,
    acquirerMerchantID: acquirer.merchantId,
    mcc: merchant.category,
    merchantCountryCode: merchant.countryNumber,
    merchantName: nameOf(merchant.name),
    notificationURL: input.notificationUrl,
    purchaseAmount: amountOf(input.amountMinor),
    purchaseCurrency: numericCurrencyCode(input.currency),
    purchaseExponent: '2',
    purchaseDate: momentOf(input.purchasedAt),
    transType: '01',
    cardholderName: cardholderNameElement(holder.name),
    email: emailElement(holder.email),
    mobilePhone: phoneElement(holder.phone),
    ...absentInBrowser,
    ...input.browser,
  })
}

const accountTypes = { credit: '02', debit: '03' } as const

/** Elements that a browser without scripts cannot report. */
const absentInBrowser = {
  browserIP: undefined,
  browserJavaEnabled: undefined,
  browserColorDepth: undefined,
  browserScreenHeight: undefined,
  browserScreenWidth: undefined,
  browserTZ: undefined,
}

const longestName = 40

function nameOf(name: string): string {
  return clip(withoutControlCharacters(name), longestName).trimEnd()
}

/** Expiry date as `YYMM`, for example `2608` for August 2026. */
function expiryOf({ expiryMonth, expiryYear }: AReqInput['card']): string {
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
