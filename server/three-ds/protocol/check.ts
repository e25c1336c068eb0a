import type { ARes } from './ares.ts'
import { readARes } from './ares.ts'
import type { CRes } from './cres.ts'
import { readCRes } from './cres.ts'
import type { Elements } from './elements.ts'
import { elementsOf, isIdentifier } from './elements.ts'
import type { CheckResult, ProtocolError } from './fault.ts'
import { fault } from './fault.ts'
import type { PRes } from './pres.ts'
import { readPRes } from './pres.ts'
import type { RReq } from './rreq.ts'
import { readRReq } from './rreq.ts'
import type { KnownTransaction } from './sent.ts'
import { strangeIdentifiers } from './sent.ts'
import type { ProtocolVersion } from './versions.ts'
import { isVersion, versionPattern } from './versions.ts'

/** The messages that come to a 3DS Server, but for the Erro, which `readErro` reads. */
export interface IncomingMessages {
  PRes: PRes
  ARes: ARes
  CRes: CRes
  RReq: RReq
}

type Reader<Message> = (
  elements: Elements,
  version: ProtocolVersion,
  sent: KnownTransaction,
) => CheckResult<Message>

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
export function checkMessage<Kind extends keyof IncomingMessages>(
  kind: Kind,
  value: unknown,
  sent: KnownTransaction | undefined,
): CheckResult<IncomingMessages[Kind]> {
  const elements = elementsOf(value)
  if (elements?.['messageType'] !== kind) return { error: fault('101', 'messageType') }
  const version = readVersion(elements)
  if ('error' in version) return version
  const error = sent ? strangerIn(elements, version.message, sent) : unknownIn(elements)
  if (error) return { error }
  if (!sent) return { error: fault('301', 'threeDSServerTransID') }
  return readers[kind](elements, version.message, sent)
}

function readVersion(elements: Elements): CheckResult<ProtocolVersion> {
  const { messageVersion: claimed } = elements
  if (claimed === undefined) return { error: fault('201', 'messageVersion') }
  if (isVersion(claimed)) return { message: claimed }
  const isSome = typeof claimed === 'string' && versionPattern.test(claimed)
  return { error: fault(isSome ? '102' : '203', 'messageVersion') }
}

/** Whose message it is, is asked before what it says. What is missing or no identifier at all is found by its form. */
function strangerIn(
  elements: Elements,
  version: ProtocolVersion,
  sent: KnownTransaction,
): ProtocolError | undefined {
  const strange = strangeIdentifiers(elements, sent)
  if (strange) return strange
  if (version !== sent.version) return fault('203', 'messageVersion')
  return criticalExtension(elements['messageExtension'])
}

function unknownIn(elements: Elements): ProtocolError | undefined {
  const { threeDSServerTransID: id } = elements
  if (id === undefined) return fault('201', 'threeDSServerTransID')
  return isIdentifier(id) ? undefined : fault('203', 'threeDSServerTransID')
}

/** We know no extension; one that must be understood makes the whole message one that we do not understand. */
function criticalExtension(extensions: unknown): ProtocolError | undefined {
  if (!Array.isArray(extensions)) return undefined
  const critical = extensions
    .map(elementsOf)
    .filter((extension) => extension?.['criticalityIndicator'] === true)
  return critical.length > 0 ? fault('202', ...critical.map((each) => String(each?.['id']))) : undefined
}
