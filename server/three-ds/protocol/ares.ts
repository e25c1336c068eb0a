import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import type { RawMessageElements } from './element-schemas.ts'
import {
  authenticationTypeSchemas,
  authenticationValueSchema,
  eciSchema,
  messageExtensionSchema,
  readElementsWithSchema,
  referenceNumberSchema,
  statusReasonSchemas,
  textOfLengthSchema,
  uuidSchema,
  webAddressSchema,
  yesOrNoSchema,
} from './element-schemas.ts'
import type { KnownTransaction } from './known-transaction.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { TrustListStatus } from './trust-list-status.ts'
import { readTrustListStatus } from './trust-list-status.ts'
import type { AuthenticationVerdict } from './verdict.ts'
import { missingElementsError, readVerdict } from './verdict.ts'
import type { ProtocolVersion } from './versions.ts'
import { isWebAddress } from './web-address.ts'

/** Issuer's first answer: the outcome, or the request for a challenge. */
export type ARes = AResBase & (AuthenticationVerdict | InformationOnly | Challenge)

interface AResBase {
  version: ProtocolVersion
  serverTransId: string
  acsTransId: string
  dsTransId: string
  acsReferenceNumber: string
  dsReferenceNumber: string
  /** Issuer's text for the cardholder. It must be shown if the authentication ended without a challenge. */
  cardholderInfo: string | null
  trustList: TrustListStatus | null
}

/** The issuer was informed, as we requested, and takes no liability. */
export interface InformationOnly {
  status: 'I'
  eci: string | null
  cavv: string | null
}

/** The cardholder must complete a challenge at the issuer's ACS. */
export interface Challenge {
  status: 'C'
  acsUrl: string
  isMandated: boolean
  authenticationType: string
}

const schemaOf = (version: ProtocolVersion) =>
  Type.Object({
    threeDSServerTransID: uuidSchema,
    acsTransID: uuidSchema,
    dsTransID: uuidSchema,
    acsReferenceNumber: referenceNumberSchema,
    dsReferenceNumber: referenceNumberSchema,
    // D and S exist in the protocol, but we never request them.
    transStatus: Type.String({ pattern: '^[YANURCDIS]$' }),
    transStatusReason: Type.Optional(statusReasonSchemas[version]),
    authenticationValue: Type.Optional(authenticationValueSchema),
    eci: Type.Optional(eciSchema),
    acsURL: Type.Optional(webAddressSchema(2048)),
    acsChallengeMandated: Type.Optional(yesOrNoSchema),
    authenticationType: Type.Optional(authenticationTypeSchemas[version]),
    cardholderInfo: Type.Optional(textOfLengthSchema(1, 128)),
    messageExtension: Type.Optional(messageExtensionSchema),
  })

const schemas = { '2.2.0': schemaOf('2.2.0'), '2.3.1': schemaOf('2.3.1') } as const
type AResElements = Static<(typeof schemas)[ProtocolVersion]>

/** Challenge indicators that allow status I. Visa has one more. */
const informing: readonly string[] = ['05', '06', '07']
const informingAtVisa = '82'
/** Data sharing only: no challenge is allowed. */
const sharingOnly = '06'

export function readARes(
  elements: RawMessageElements,
  version: ProtocolVersion,
  transaction: KnownTransaction,
): ProtocolReadResult<ARes> {
  const read = readElementsWithSchema(schemas[version], elements)
  if ('error' in read) return read
  const form = read.message
  const trustList = readTrustListStatus(elements, version)
  if ('error' in trustList) return trustList
  const ending = readStatus(form, transaction)
  if ('error' in ending) return ending
  const message = {
    version,
    serverTransId: form.threeDSServerTransID,
    acsTransId: form.acsTransID,
    dsTransId: form.dsTransID,
    acsReferenceNumber: form.acsReferenceNumber,
    dsReferenceNumber: form.dsReferenceNumber,
    cardholderInfo: form.cardholderInfo ?? null,
    trustList: trustList.message,
    ...ending.message,
  }
  return { message }
}

function readStatus(
  form: AResElements,
  transaction: KnownTransaction,
): ProtocolReadResult<AuthenticationVerdict | InformationOnly | Challenge> {
  const verdict = readVerdict(form, transaction.scheme)
  if (verdict) return verdict
  if (form.transStatus === 'C' && transaction.challengeIndicator !== sharingOnly)
    return readChallenge(form, transaction)
  if (form.transStatus === 'I' && mayInform(transaction)) {
    return { message: { status: 'I', eci: form.eci ?? null, cavv: form.authenticationValue ?? null } }
  }
  return { error: protocolError('203', 'transStatus') }
}

function readChallenge(form: AResElements, { environment }: KnownTransaction): ProtocolReadResult<Challenge> {
  const { acsURL, acsChallengeMandated, authenticationType: type } = form
  if (acsURL === undefined || acsChallengeMandated === undefined || type === undefined) {
    return missingElementsError({ acsURL, acsChallengeMandated, authenticationType: type })
  }
  if (!isWebAddress(acsURL, environment)) return { error: protocolError('203', 'acsURL') }
  const isMandated = acsChallengeMandated === 'Y'
  return { message: { status: 'C', acsUrl: acsURL, isMandated, authenticationType: type } }
}

function mayInform({ challengeIndicator = '01', scheme }: KnownTransaction): boolean {
  return (
    informing.includes(challengeIndicator) || (scheme === 'visa' && challengeIndicator === informingAtVisa)
  )
}
