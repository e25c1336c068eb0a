import type { MessageField } from './field-checks.ts'
import * as check from './field-checks.ts'
import { optional, required, requiredIf, requireFields } from './field-checks.ts'
import type { AcsMessage, AcsProtocolVersion } from './message.ts'
import { InvalidMessage } from './message.ts'

/** Fields of an authentication request that the bank uses. The others are checked and discarded. */
export interface AuthenticationRequest {
  version: AcsProtocolVersion
  threeDSServerTransID: string
  threeDSServerURL: string
  threeDSRequestorChallengeInd: string
  acctNumber: string
  merchantName: string
  notificationURL: string
  purchaseAmount: string
  purchaseCurrency: string
  purchaseExponent: string
  purchaseDate: string
  browserLanguage: string
}

export function readPreparationRequest(message: AcsMessage): { serialNum: string | undefined } {
  requireFields(message, [
    required('threeDSServerTransID', check.id),
    required('threeDSServerRefNumber', check.text(32)),
    optional('threeDSServerOperatorID', check.text(32)),
    optional('serialNum', check.text(20)),
  ])
  requireKnownExtensions(message)
  const { serialNum } = message
  return { serialNum: typeof serialNum === 'string' ? serialNum : undefined }
}

/**
 * Reads an authentication request. Guarantee: every field is present and in its format. Only payments in the
 * browser channel are accepted.
 */
export function readAuthenticationRequest(
  message: AcsMessage,
  version: AcsProtocolVersion,
): AuthenticationRequest {
  requireFields(message, [
    ...ofParties(version),
    ...ofPurchase(message),
    ...ofBrowser(message, version),
    ...ofHolder(message),
    ...ofWhitelist(message),
  ])
  requireKnownExtensions(message)
  const { threeDSRequestorChallengeInd = '01' } = message
  // The checks above cover every field of the type.
  return { ...message, version, threeDSRequestorChallengeInd } as unknown as AuthenticationRequest
}

const count = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(2, '0'))

/** Values that EMV reserves for use by a directory server. */
const reserved = count(80, 99)

function ofParties(version: AcsProtocolVersion): MessageField[] {
  const isNewer = version !== '2.2.0'
  return [
    required('threeDSServerTransID', check.id),
    required('threeDSServerRefNumber', check.text(32)),
    required('threeDSServerURL', check.url(2048)),
    optional('threeDSServerOperatorID', check.text(32)),
    required('threeDSRequestorID', check.text(35)),
    required('threeDSRequestorName', check.text(40)),
    required('threeDSRequestorURL', check.url(2048)),
    required('threeDSRequestorAuthenticationInd', check.oneOf(...count(1, isNewer ? 7 : 6), ...reserved)),
    optional('threeDSRequestorChallengeInd', check.oneOf(...count(1, isNewer ? 12 : 9), ...reserved)),
    optional('threeDSRequestorAuthenticationInfo', check.record),
    optional('threeDSRequestorPriorAuthenticationInfo', check.record),
    optional('threeDSRequestorDecReqInd', check.oneOf('Y', 'N')),
    optional('threeDSRequestorDecMaxTime', check.matching(/^(?!00000)(?:0\d{4}|100[0-7]\d|10080)$/)),
    required('messageCategory', check.oneOf('01')),
    required('deviceChannel', check.oneOf('02')),
    required('acquirerBIN', check.text(11)),
    required('acquirerMerchantID', check.text(35)),
    required('mcc', check.merchantCategory),
    required('merchantCountryCode', check.country),
    required('merchantName', check.text(40)),
    optional('merchantRiskIndicator', check.record),
  ]
}

function ofPurchase({ threeDSRequestorAuthenticationInd: purpose }: AcsMessage): MessageField[] {
  const isRepeated = purpose === '02' || purpose === '03'
  return [
    required('purchaseAmount', check.matching(/^\d{1,48}$/)),
    required('purchaseCurrency', check.currency),
    required('purchaseExponent', check.matching(/^\d$/)),
    required('purchaseDate', check.dateTime),
    requiredIf(isRepeated, 'recurringExpiry', check.day),
    requiredIf(isRepeated, 'recurringFrequency', check.matching(/^\d{1,4}$/)),
    requiredIf(purpose === '03', 'purchaseInstalData', check.matching(/^(?!0*1?$)\d{1,3}$/)),
    optional('transType', check.oneOf('01', '03', '10', '11', '28')),
  ]
}

function ofBrowser(
  { browserJavascriptEnabled: canRun }: AcsMessage,
  version: AcsProtocolVersion,
): MessageField[] {
  const hasScripts = canRun === true
  return [
    required('notificationURL', check.url(256)),
    required('threeDSCompInd', check.oneOf('Y', 'N', 'U')),
    required('browserAcceptHeader', check.text(2048)),
    required('browserUserAgent', check.text(2048)),
    required('browserLanguage', check.text(version === '2.2.0' ? 8 : 35)),
    required('browserJavascriptEnabled', check.flag),
    optional('browserIP', check.ipAddress),
    requiredIf(hasScripts, 'browserJavaEnabled', check.flag),
    requiredIf(hasScripts, 'browserColorDepth', check.oneOf('1', '4', '8', '15', '16', '24', '32', '48')),
    requiredIf(hasScripts, 'browserScreenHeight', check.matching(/^\d{1,6}$/)),
    requiredIf(hasScripts, 'browserScreenWidth', check.matching(/^\d{1,6}$/)),
    requiredIf(hasScripts, 'browserTZ', check.matching(/^[+-]?\d{1,4}$/)),
  ]
}

function ofHolder(message: AcsMessage): MessageField[] {
  const address = (kind: string) => [
    optional(`${kind}AddrCity`, check.text(50)),
    // A state requires its country.
    requiredIf(message[`${kind}AddrState`] !== undefined, `${kind}AddrCountry`, check.country),
    optional(`${kind}AddrLine1`, check.text(50)),
    optional(`${kind}AddrLine2`, check.text(50)),
    optional(`${kind}AddrLine3`, check.text(50)),
    optional(`${kind}AddrPostCode`, check.text(16)),
    optional(`${kind}AddrState`, check.text(3)),
  ]
  return [
    required('acctNumber', check.matching(/^\d{13,19}$/)),
    optional('cardExpiryDate', check.matching(/^\d\d(?:0[1-9]|1[0-2])$/)),
    optional('acctType', check.oneOf('01', '02', '03')),
    optional('acctInfo', check.record),
    optional('cardholderName', check.text(45, 2)),
    optional('email', check.text(254)),
    optional('mobilePhone', check.phone),
    optional('homePhone', check.phone),
    optional('workPhone', check.phone),
    optional('addrMatch', check.oneOf('Y', 'N')),
    ...address('bill'),
    ...address('ship'),
  ]
}

/** Either both fields are present or neither. */
function ofWhitelist({ whiteListStatus, whiteListStatusSource }: AcsMessage): MessageField[] {
  const isThere = whiteListStatus !== undefined || whiteListStatusSource !== undefined
  return [
    requiredIf(isThere, 'whiteListStatus', check.oneOf('Y', 'N', 'E', 'P', 'R', 'U')),
    requiredIf(isThere, 'whiteListStatusSource', check.oneOf('01', '02', '03')),
  ]
}

/** The sandbox knows no extension, so it refuses every critical one. */
function requireKnownExtensions({ messageExtension: extensions }: AcsMessage): void {
  if (extensions === undefined || extensions === null) return
  if (!Array.isArray(extensions) || extensions.length > 10)
    throw new InvalidMessage('203', 'messageExtension')
  for (const extension of extensions as unknown[]) {
    const { name, id, criticalityIndicator, data } = (extension ?? {}) as AcsMessage
    const isWhole = check.text(64)(name) === undefined && check.text(64)(id) === undefined
    if (!isWhole || typeof criticalityIndicator !== 'boolean' || data === undefined) {
      throw new InvalidMessage('203', 'messageExtension')
    }
    if (criticalityIndicator) throw new InvalidMessage('202', String(id))
  }
}
