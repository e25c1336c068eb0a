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

/** The messages that come to a 3DS Server, but for the Erro, which `readErro` reads. */
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
 * Reads a message that came, whichever version it is of. Guarantee: what is answered as a message is about the
 * transaction that is given, and has all that its status demands; of everything else the first thing wrong is told, as
 * it goes into an Erro. Without a transaction, which is one that nobody knows, there is no message.
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

/** Whose message it is, is asked before what it says. What is missing or no identifier at all is found by its form. */
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

/** We know no extension; one that must be understood makes the whole message one that we do not understand. */
function criticalExtension(extensions: unknown): ProtocolError | undefined {
  if (!Array.isArray(extensions)) return undefined
  const critical = extensions
    .map(nonNullElementsOf)
    .filter((extension) => extension?.['criticalityIndicator'] === true)
  return critical.length > 0
    ? protocolError('202', ...critical.map((each) => String(each?.['id'])))
    : undefined
}
