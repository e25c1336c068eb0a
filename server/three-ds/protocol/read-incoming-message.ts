import { matchesSchema } from '../../../kit/input/schema.ts'
import type { ARes } from './ares.ts'
import { readARes } from './ares.ts'
import type { CRes } from './cres.ts'
import { readCRes } from './cres.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { isUuid, nonNullElementsOf, versionSchema } from './element-schemas.ts'
import type { KnownTransaction } from './known-transaction.ts'
import type { PRes } from './pres.ts'
import { readPRes } from './pres.ts'
import type { ProtocolError, ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { RReq } from './rreq.ts'
import { readRReq } from './rreq.ts'
import { isSupportedVersion } from './versions.ts'

/** Messages that a 3DS Server receives, except the Erro, which `readErro` reads. */
export interface IncomingMessages {
  PRes: PRes
  ARes: ARes
  CRes: CRes
  RReq: RReq
}

type Reader<Message> = (
  elements: RawMessageElements,
  transaction: KnownTransaction,
) => ProtocolReadResult<Message>

const readers: { readonly [Kind in keyof IncomingMessages]: Reader<IncomingMessages[Kind]> } = {
  PRes: readPRes,
  ARes: readARes,
  CRes: readCRes,
  RReq: readRReq,
}

/**
 * Reads a received message of either version. Guarantee: a returned message is about the given transaction
 * and has all elements that its status requires. Otherwise the first error is returned, ready for an Erro.
 */
export function readIncomingMessage<Kind extends keyof IncomingMessages>(
  kind: Kind,
  value: unknown,
  transaction: KnownTransaction,
): ProtocolReadResult<IncomingMessages[Kind]> {
  const elements = nonNullElementsOf(value)
  if (elements?.['messageType'] !== kind) return { error: protocolError('101', 'messageType') }
  const error =
    unsupportedVersionError(elements) ??
    mismatchedIdentifiersError(elements, transaction) ??
    otherVersionError(elements, transaction) ??
    criticalExtensionError(elements)
  return error ? { error } : readers[kind](elements, transaction)
}

function unsupportedVersionError({ messageVersion }: RawMessageElements): ProtocolError | undefined {
  if (messageVersion === undefined) return protocolError('201', 'messageVersion')
  if (isSupportedVersion(messageVersion)) return undefined
  return protocolError(matchesSchema(versionSchema, messageVersion) ? '102' : '203', 'messageVersion')
}

/** Error that names the identifiers of another transaction. The schema finds missing and invalid ones. */
function mismatchedIdentifiersError(
  elements: RawMessageElements,
  { serverTransId, acsTransId, dsTransId }: KnownTransaction,
): ProtocolError | undefined {
  const known = { threeDSServerTransID: serverTransId, acsTransID: acsTransId, dsTransID: dsTransId }
  const strange = Object.entries(known).filter(([name, id]) => id && isAnother(elements[name], id))
  return strange.length > 0 ? protocolError('301', ...strange.map(([name]) => name)) : undefined
}

/** Identifiers are hexadecimal, so upper and lower case are equal. */
function isAnother(claimed: unknown, known: string): boolean {
  return isUuid(claimed) && claimed.toLowerCase() !== known.toLowerCase()
}

function otherVersionError(
  { messageVersion }: RawMessageElements,
  { version }: KnownTransaction,
): ProtocolError | undefined {
  return messageVersion === version ? undefined : protocolError('203', 'messageVersion')
}

/** Extensions are not supported, so a critical extension makes the whole message invalid. */
function criticalExtensionError({ messageExtension }: RawMessageElements): ProtocolError | undefined {
  if (!Array.isArray(messageExtension)) return undefined
  const critical = messageExtension
    .map(nonNullElementsOf)
    .filter((extension) => extension?.['criticalityIndicator'] === true)
  return critical.length > 0
    ? protocolError('202', ...critical.map((each) => String(each?.['id'])))
    : undefined
}
