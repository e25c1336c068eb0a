import type { Services } from '../services.ts'
import type { Trace } from '../traces/index.ts'
import { recordTrace } from '../traces/index.ts'
import type { Authentication } from './authentication.ts'
import { maskedMessage } from './protocol/masking.ts'

export function maskedMessageTrace(
  { merchantId, attemptId, paymentId }: Authentication,
  direction: 'sent' | 'received',
  message: unknown,
  peer: 'directory' | 'browser' = 'directory',
): Trace {
  const body = maskedMessage(message)
  const kind = 'messageType' in body ? String(body.messageType).slice(0, 10) : 'unreadable'
  return { merchantId, attemptId, paymentId, peer, direction, kind, body }
}

export function recordMessageTrace(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'log'>,
  ...message: Parameters<typeof maskedMessageTrace>
): Promise<void> {
  return recordTrace(services, maskedMessageTrace(...message))
}
