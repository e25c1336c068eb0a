import type { OutboundResult } from '../../../kit/outbound/outbound-client.ts'
import type { Random } from '../../../kit/security/random.ts'
import type { Delivery, DeliveryErrorCode } from '../records/delivery.ts'
import { nextAttemptAt, parseRetryAfterHeaderMs } from './schedule.ts'

/** Consequences of one attempt. */
export interface DeliveryAttemptVerdict {
  state: Delivery['state']
  nextAttemptAt: Date | null
  /** End of the pause that the receiver asked for. */
  pausedUntil: Date | null
  /** True if the receiver answered 410 and wants no more events. */
  isGone: boolean
}

/** Response to an attempt; empty if signing failed. */
export type DeliveryResponseOrError = Omit<OutboundResult, 'fault'> & { fault: DeliveryErrorCode | null }

/** Only a 2xx response without an error is a success. `attemptCount` includes this attempt. */
export function judgeDeliveryAttempt(
  { status, fault, retryAfter }: DeliveryResponseOrError,
  { attemptCount, isTest }: { attemptCount: number; isTest: boolean },
  now: Date,
  random: Random,
): DeliveryAttemptVerdict {
  const isSuccess = fault === null && status !== null && status >= 200 && status < 300
  if (isSuccess) return { state: 'delivered', nextAttemptAt: null, pausedUntil: null, isGone: false }
  const waitMs = parseRetryAfterHeaderMs(retryAfter, now)
  const next = isTest ? null : nextAttemptAt(attemptCount, now, random, waitMs)
  const wantsPause = waitMs > 0 && (status === 429 || status === 503)
  return {
    state: next ? 'pending' : 'failed',
    nextAttemptAt: next,
    pausedUntil: wantsPause ? new Date(now.getTime() + waitMs) : null,
    isGone: status === 410,
  }
}
