import assert from 'node:assert/strict'
import type { Incoming } from '../../three-ds/protocol/check.ts'
import { checkMessage } from '../../three-ds/protocol/check.ts'
import type { Sent } from '../../three-ds/protocol/sent.ts'
import type { Version } from '../../three-ds/protocol/versions.ts'
import type { Message } from './messages.ts'
import { serverTransId } from './messages.ts'

/** The transaction that the messages of tests are about. */
export const sentIn = (version: Version, more: Partial<Sent> = {}): Sent => ({
  version,
  mode: 'live',
  serverTransId,
  brand: 'visa',
  ...more,
})

/** The message that a value is read as. */
export function messageOf<Kind extends keyof Incoming>(
  kind: Kind,
  value: Message,
  sent: Sent,
): Incoming[Kind] {
  const read = checkMessage(kind, value, sent)
  assert.ok('message' in read, JSON.stringify(read))
  return read.message
}

/** Says that a value is not taken, and for which fault. */
export function refused(
  kind: keyof Incoming,
  value: unknown,
  sent: Sent | undefined,
  code: string,
  detail: string,
) {
  const read = checkMessage(kind, value, sent)
  assert.ok('error' in read, `expected ${code} ${detail}`)
  assert.deepEqual({ code: read.error.code, detail: read.error.detail }, { code, detail })
}
