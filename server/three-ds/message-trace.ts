import type { Services } from '../services.ts'
import type { Trace } from '../traces/index.ts'
import { recordTrace } from '../traces/index.ts'
import type { Authentication } from './authentication.ts'
import { maskedMessage } from './protocol/masking.ts'

/** Masked copy of a 3-D Secure message. */
export function maskedMessageTrace(
  { merchantId, attemptId, paymentId }: Authentication,
  direction: 'sent' | 'received',
  message: unknown,
  peer: 'directory' | 'browser' = 'directory',
): Trace {
  const masked = maskedMessage(message)
  const body = typeof masked === 'object' && masked !== null ? masked : { value: masked }
  const kind = 'messageType' in body ? String(body.messageType).slice(0, 10) : 'unreadable'
  return { merchantId, attemptId, paymentId, peer, direction, kind, body }
}

/** Stores a masked copy of a message. */
export function recordMessageTrace(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'log'>,
  ...message: Parameters<typeof maskedMessageTrace>
): Promise<void> {
  return recordTrace(services, maskedMessageTrace(...message))
}
