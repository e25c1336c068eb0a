import type { RawMessageElements } from './element-schemas.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'

/** Trust list entry: whether the cardholder trusts this merchant, and who reports it. */
export interface TrustListStatus {
  status: string
  source: string
}

/** Version 2.3 renamed both elements. */
const names: Readonly<Record<ProtocolVersion, readonly [status: string, source: string]>> = {
  '2.2.0': ['whiteListStatus', 'whiteListStatusSource'],
  '2.3.1': ['trustListStatus', 'trustListStatusSource'],
}

/** Reads both elements or neither. One without the other is error 201. */
export function readTrustListStatus(
  elements: RawMessageElements,
  version: ProtocolVersion,
): ProtocolReadResult<TrustListStatus | null> {
  const [statusName, sourceName] = names[version]
  const { [statusName]: status, [sourceName]: source } = elements
  if (status === undefined && source === undefined) return { message: null }
  if (status === undefined) return { error: protocolError('201', statusName) }
  if (source === undefined) return { error: protocolError('201', sourceName) }
  if (!isOne(status, /^[YNEPRU]$/)) return { error: protocolError('203', statusName) }
  if (!isOne(source, /^0[123]$/)) return { error: protocolError('203', sourceName) }
  return { message: { status, source } }
}

function isOne(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}
