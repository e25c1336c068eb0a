import type { Services } from '../services.ts'
import { noteTrace } from '../traces/index.ts'
import type { Authentication } from './authentication.ts'
import { maskedMessage } from './protocol/masking.ts'

/** Keeps a masked copy of a message of 3-D Secure. */
export function traceMessage(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'log'>,
  { merchantId, attemptId, paymentId }: Authentication,
  direction: 'sent' | 'received',
  message: unknown,
  peer: 'directory' | 'browser' = 'directory',
): Promise<void> {
  const masked = maskedMessage(message)
  const body = typeof masked === 'object' && masked !== null ? masked : { value: masked }
  const kind = 'messageType' in body ? String(body.messageType).slice(0, 10) : 'unreadable'
  return noteTrace(services, { merchantId, attemptId, paymentId, peer, direction, kind, body })
}
