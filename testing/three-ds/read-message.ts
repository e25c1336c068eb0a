import assert from 'node:assert/strict'
import type { KnownTransaction } from '../../server/three-ds/protocol/known-transaction.ts'
import type { IncomingMessages } from '../../server/three-ds/protocol/read-incoming-message.ts'
import { readIncomingMessage } from '../../server/three-ds/protocol/read-incoming-message.ts'
import type { ProtocolVersion } from '../../server/three-ds/protocol/versions.ts'
import type { TestMessage } from './messages.ts'
import { serverTransId } from './messages.ts'

/** Transaction of the test messages. */
export const sentTransaction = (
  version: ProtocolVersion,
  more: Partial<KnownTransaction> = {},
): KnownTransaction => ({
  version,
  isLive: true,
  serverTransId,
  scheme: 'visa',
  ...more,
})

/** The message that a value is read as; fails if it is refused. */
export function checkedMessage<Kind extends keyof IncomingMessages>(
  kind: Kind,
  value: TestMessage,
  sent: KnownTransaction,
): IncomingMessages[Kind] {
  const read = readIncomingMessage(kind, value, sent)
  assert.ok('message' in read, JSON.stringify(read))
  return read.message
}

/** Asserts that a value is refused with this error. */
export function assertMessageRefused(
  kind: keyof IncomingMessages,
  value: unknown,
  sent: KnownTransaction,
  code: string,
  detail: string,
) {
  const read = readIncomingMessage(kind, value, sent)
  assert.ok('error' in read, `expected ${code} ${detail}`)
  assert.deepEqual({ code: read.error.code, detail: read.error.detail }, { code, detail })
}
