import { dueAttemptQueue } from '../../server/payments/attempts/attempt-work.ts'
import type { BankWorkState } from '../../server/payments/bank-calls/bank-work.ts'
import type { BankWorkQueue } from '../../server/payments/bank-calls/lanes.ts'
import { lanesOf, processLane } from '../../server/payments/bank-calls/lanes.ts'
import { dueCaptureAndReleaseQueue } from '../../server/payments/holds/process-due-captures-and-releases.ts'
import { dueVerificationQueue } from '../../server/payments/verifications/verification-work.ts'
import { dueRefundQueue } from '../../server/refunds/process-due-refunds.ts'
import type { Services } from '../../server/services.ts'
import { positionAndDispatchEvents } from '../../server/webhooks/deliver/dispatch.ts'
import { Lanes } from '../../server/webhooks/deliver/lanes.ts'

/** Processes due work like its job, and returns when all of it is done. */
export async function processDueInLanes<State extends BankWorkState>(
  services: Services,
  queue: BankWorkQueue<State>,
  signal?: AbortSignal,
): Promise<number> {
  const lanes = await lanesOf(services, queue)
  const done = await Promise.all(
    [...lanes.values()].map((lane) => processLane(services, queue.work, lane, signal)),
  )
  return done.reduce((sum, count) => sum + count, 0)
}

export const processDueAttempts = (services: Services, signal?: AbortSignal) =>
  processDueInLanes(services, dueAttemptQueue, signal)

export const processDueCapturesAndReleases = (services: Services, signal?: AbortSignal) =>
  processDueInLanes(services, dueCaptureAndReleaseQueue, signal)

export const processDueVerifications = (services: Services, signal?: AbortSignal) =>
  processDueInLanes(services, dueVerificationQueue, signal)

export const processDueRefunds = (services: Services, signal?: AbortSignal) =>
  processDueInLanes(services, dueRefundQueue, signal)

/** Dispatches new events and attempts all due deliveries, until none is left. Returns their number. */
export async function dispatchAndDeliverDue(services: Services): Promise<number> {
  const lanes = new Lanes(services, new AbortController().signal)
  let done = 0
  for (;;) {
    const count = (await positionAndDispatchEvents(services)) + (await lanes.processDue())
    await lanes.settle()
    if (count === 0) return done
    done += count
  }
}
