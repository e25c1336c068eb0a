import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import { withoutControlCharacters } from './clip.ts'
import type { RawMessageElements } from './element-schemas.ts'
import {
  authenticationTypeSchemas,
  authenticationValueSchema,
  eciSchema,
  isWebAddress,
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
import type { AuthenticationVerdict } from './verdict.ts'
import { missingElementsError, readVerdict, trustListError } from './verdict.ts'
import type { ProtocolVersion } from './versions.ts'

/** Issuer's first answer: the outcome, or the request for a challenge. */
export type ARes = AResBase & (AuthenticationVerdict | Challenge)

interface AResBase {
  acsTransId: string
  dsTransId: string
  /** Issuer's text for the cardholder. It must be shown if the authentication ended without a challenge. */
  holderText: string | null
}

/** The cardholder must complete a challenge at the issuer's ACS. */
interface Challenge {
  status: 'C'
  acsUrl: string
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
  transaction: KnownTransaction,
): ProtocolReadResult<ARes> {
  const read = readElementsWithSchema(schemas[transaction.version], elements)
  if ('error' in read) return read
  const error = trustListError(elements, transaction.version)
  if (error) return { error }
  const { acsTransID: acsTransId, dsTransID: dsTransId, cardholderInfo = null } = read.message
  const holderText = cardholderInfo && withoutControlCharacters(cardholderInfo)
  const ending = readStatus(read.message, transaction)
  return 'error' in ending ? ending : { message: { acsTransId, dsTransId, holderText, ...ending.message } }
}

function readStatus(
  form: AResElements,
  transaction: KnownTransaction,
): ProtocolReadResult<AuthenticationVerdict | Challenge> {
  const { transStatus, eci = null, authenticationValue: cavv = null } = form
  const verdict = readVerdict(form, transaction.scheme)
  if (verdict) return verdict
  if (transStatus === 'C' && transaction.challengeIndicator !== sharingOnly)
    return readChallenge(form, transaction)
  if (transStatus === 'I' && mayInform(transaction))
    return { message: { status: 'I', reason: null, eci, cavv } }
  return { error: protocolError('203', 'transStatus') }
}

function readChallenge(form: AResElements, { isLive }: KnownTransaction): ProtocolReadResult<Challenge> {
  const { acsURL, acsChallengeMandated, authenticationType } = form
  if (acsURL === undefined || acsChallengeMandated === undefined || authenticationType === undefined)
    return missingElementsError({ acsURL, acsChallengeMandated, authenticationType })
  if (!isWebAddress(acsURL, isLive)) return { error: protocolError('203', 'acsURL') }
  return { message: { status: 'C', acsUrl: acsURL } }
}

function mayInform({ challengeIndicator = '01', scheme }: KnownTransaction): boolean {
  return (
    informing.includes(challengeIndicator) || (scheme === 'visa' && challengeIndicator === informingAtVisa)
  )
}
