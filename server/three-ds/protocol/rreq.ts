import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import type { RawMessageElements } from './element-schemas.ts'
import {
  authenticationTypeSchemas,
  authenticationValueSchema,
  digitsOfLengthSchema,
  eciSchema,
  enumSchema,
  messageExtensionSchema,
  readElementsWithSchema,
  statusReasonSchemas,
  uuidSchema,
} from './element-schemas.ts'
import type { KnownTransaction } from './known-transaction.ts'
import type { ProtocolError, ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { AuthenticationVerdict } from './verdict.ts'
import { readVerdict, trustListError } from './verdict.ts'
import type { ProtocolVersion } from './versions.ts'

/** Issuer's result of a challenge, sent from server to server. It alone decides. */
export interface RReq extends AuthenticationVerdict {
  serverTransId: string
  acsTransId: string
  dsTransId: string
  /** `challengeCancel`: reason for a challenge that was not completed. */
  cancel: string | null
}

const method = Type.String({ pattern: '^(?:0[1-9]|1[01]|[89][0-9])$' })
const laterMethod = digitsOfLengthSchema(2, 2)

const schemaOf = (version: ProtocolVersion) =>
  Type.Object({
    threeDSServerTransID: uuidSchema,
    acsTransID: uuidSchema,
    dsTransID: uuidSchema,
    messageCategory: enumSchema('01', '02'),
    transStatus: Type.String({ pattern: '^[YANUR]$' }),
    transStatusReason: Type.Optional(statusReasonSchemas[version]),
    authenticationValue: Type.Optional(authenticationValueSchema),
    authenticationType: Type.Optional(authenticationTypeSchemas[version]),
    authenticationMethod: Type.Optional(
      version === '2.2.0'
        ? method
        : Type.Union([laterMethod, Type.Array(laterMethod, { minItems: 1, maxItems: 99 })]),
    ),
    challengeCancel: Type.Optional(
      Type.String({ pattern: version === '2.2.0' ? '^0[13-8]$' : '^(?:0[13-9]|10)$' }),
    ),
    eci: Type.Optional(eciSchema),
    interactionCounter: Type.Optional(digitsOfLengthSchema(2, 2)),
    messageExtension: Type.Optional(messageExtensionSchema),
  })

const schemas = { '2.2.0': schemaOf('2.2.0'), '2.3.1': schemaOf('2.3.1') } as const
type RReqElements = Static<(typeof schemas)[ProtocolVersion]>

/** Timeout: `challengeCancel` must be 04 (during the challenge) or 05 (before its first CReq). */
const timedOut = '14'
const timeouts: readonly string[] = ['04', '05']

export function readRReq(
  elements: RawMessageElements,
  { version, scheme }: KnownTransaction,
): ProtocolReadResult<RReq> {
  const read = readElementsWithSchema(schemas[version], elements)
  if ('error' in read) return read
  const form = read.message
  const error = ruleBrokenBy(form) ?? trustListError(elements, version)
  if (error) return { error }
  const verdict = readVerdict(form, scheme)
  if (!verdict) return { error: protocolError('203', 'transStatus') }
  if ('error' in verdict) return verdict
  const message = {
    serverTransId: form.threeDSServerTransID,
    acsTransId: form.acsTransID,
    dsTransId: form.dsTransID,
    cancel: form.challengeCancel ?? null,
    ...verdict.message,
  }
  return { message }
}

function ruleBrokenBy(form: RReqElements): ProtocolError | undefined {
  // We only authenticate payments.
  if (form.messageCategory !== '01') return protocolError('305', 'messageCategory')
  const isDecided = form.transStatus === 'Y' || form.transStatus === 'N'
  if (isDecided && form.authenticationType === undefined) return protocolError('201', 'authenticationType')
  if (form.transStatusReason !== timedOut) return undefined
  if (form.challengeCancel === undefined) return protocolError('201', 'challengeCancel')
  return timeouts.includes(form.challengeCancel) ? undefined : protocolError('203', 'challengeCancel')
}
