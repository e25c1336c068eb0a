import type { ARes } from './ares.ts'
import { readARes } from './ares.ts'
import type { CRes } from './cres.ts'
import { readCRes } from './cres.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { isUuid, nonNullElementsOf } from './element-schemas.ts'
import type { KnownTransaction } from './known-transaction.ts'
import { mismatchedIdentifiersError } from './known-transaction.ts'
import type { PRes } from './pres.ts'
import { readPRes } from './pres.ts'
import type { ProtocolError, ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { RReq } from './rreq.ts'
import { readRReq } from './rreq.ts'
import type { ProtocolVersion } from './versions.ts'
import { isSupportedVersion, versionPattern } from './versions.ts'

/** Messages that a 3DS Server receives, except the Erro, which `readErro` reads. */
export interface IncomingMessages {
  PRes: PRes
  ARes: ARes
  CRes: CRes
  RReq: RReq
}

type Reader<Message> = (
  elements: RawMessageElements,
  version: ProtocolVersion,
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
 * Without a known transaction the result is always an error.
 */
export function readIncomingMessage<Kind extends keyof IncomingMessages>(
  kind: Kind,
  value: unknown,
  transaction: KnownTransaction | undefined,
): ProtocolReadResult<IncomingMessages[Kind]> {
  const elements = nonNullElementsOf(value)
  if (elements?.['messageType'] !== kind) return { error: protocolError('101', 'messageType') }
  const version = readVersion(elements)
  if ('error' in version) return version
  const error = transaction ? mismatchIn(elements, version.message, transaction) : unknownIn(elements)
  if (error) return { error }
  if (!transaction) return { error: protocolError('301', 'threeDSServerTransID') }
  return readers[kind](elements, version.message, transaction)
}

function readVersion(elements: RawMessageElements): ProtocolReadResult<ProtocolVersion> {
  const { messageVersion: claimed } = elements
  if (claimed === undefined) return { error: protocolError('201', 'messageVersion') }
  if (isSupportedVersion(claimed)) return { message: claimed }
  const isSome = typeof claimed === 'string' && versionPattern.test(claimed)
  return { error: protocolError(isSome ? '102' : '203', 'messageVersion') }
}

/** Checks the transaction before the content. The schema finds missing and invalid identifiers. */
function mismatchIn(
  elements: RawMessageElements,
  version: ProtocolVersion,
  transaction: KnownTransaction,
): ProtocolError | undefined {
  const strange = mismatchedIdentifiersError(elements, transaction)
  if (strange) return strange
  if (version !== transaction.version) return protocolError('203', 'messageVersion')
  return criticalExtension(elements['messageExtension'])
}

function unknownIn(elements: RawMessageElements): ProtocolError | undefined {
  const { threeDSServerTransID: id } = elements
  if (id === undefined) return protocolError('201', 'threeDSServerTransID')
  return isUuid(id) ? undefined : protocolError('203', 'threeDSServerTransID')
}

/** Extensions are not supported, so a critical extension makes the whole message invalid. */
function criticalExtension(extensions: unknown): ProtocolError | undefined {
  if (!Array.isArray(extensions)) return undefined
  const critical = extensions
    .map(nonNullElementsOf)
    .filter((extension) => extension?.['criticalityIndicator'] === true)
  return critical.length > 0
    ? protocolError('202', ...critical.map((each) => String(each?.['id'])))
    : undefined
}
