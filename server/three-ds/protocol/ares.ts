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

/** What an issuer says at once: how it ended, or that the holder has to be asked. */
export type ARes = AResBase & (AuthenticationVerdict | InformationOnly | Challenge)

interface AResBase {
  version: ProtocolVersion
  serverTransId: string
  acsTransId: string
  dsTransId: string
  acsReferenceNumber: string
  dsReferenceNumber: string
  /** The issuer's own words to the holder, which have to be shown when it ended without a challenge. */
  cardholderInfo: string | null
  trustList: TrustListStatus | null
}

/** The issuer was informed, as we had asked, and stands for nothing. */
export interface InformationOnly {
  status: 'I'
  eci: string | null
  cavv: string | null
}

/** The holder has to prove it, at the issuer's page. */
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
    // D and S are words of the protocol that we never ask for.
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

/** Visa has one more indicator, of its own, that informs. */
const informing: readonly string[] = ['05', '06', '07']
const informingAtVisa = '82'
/** Data are shared, and nobody may be asked. */
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
