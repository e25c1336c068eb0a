import { Type } from '../../kit/schema.ts'
import type { Elements } from './elements.ts'
import { identifier, messageExtension, readForm, text, version as versionText } from './elements.ts'
import type { CheckResult } from './fault.ts'
import { fault } from './fault.ts'
import type { ProtocolVersion, VersionSpan } from './versions.ts'
import { isSpan } from './versions.ts'

/** What the directory server knows of cards. The ranges are read by `applyRanges`. */
export interface PRes {
  version: ProtocolVersion
  serverTransId: string
  dsTransId: string
  /** The versions that the directory server itself speaks. */
  ds: VersionSpan
  /** To be sent the next time, so that only changes come. */
  serialNumber: string | null
  /** Null when nothing has changed. */
  cardRanges: readonly unknown[] | null
}

const Form = Type.Object({
  threeDSServerTransID: identifier,
  dsTransID: identifier,
  dsStartProtocolVersion: versionText,
  dsEndProtocolVersion: versionText,
  serialNum: Type.Optional(text(1, 20)),
  cardRangeData: Type.Optional(Type.Array(Type.Unknown())),
  messageExtension: Type.Optional(messageExtension),
})

export function readPRes(elements: Elements, version: ProtocolVersion): CheckResult<PRes> {
  const read = readForm(Form, elements)
  if ('error' in read) return read
  const form = read.message
  const ds = { from: form.dsStartProtocolVersion, to: form.dsEndProtocolVersion }
  if (!isSpan(ds)) return { error: fault('203', 'dsStartProtocolVersion', 'dsEndProtocolVersion') }
  const message = {
    version,
    serverTransId: form.threeDSServerTransID,
    dsTransId: form.dsTransID,
    ds,
    serialNumber: form.serialNum ?? null,
    cardRanges: form.cardRangeData ?? null,
  }
  return { message }
}
