import type { Job } from '../../kit/job.ts'
import type { Services } from '../../services.ts'
import { countUnsettled } from '../count-unsettled.ts'
import type { Waiting } from '../lanes.ts'
import { attendAll, countDone, laneJob, ofEachPos } from '../lanes.ts'
import { duePayments, postponePayment } from '../store.ts'
import { attendAttempt } from './attend-attempt.ts'
import { expirePayment } from './expire-payment.ts'
import { dueAttempts, postpone } from './store.ts'

/** How many payments are expired in one go, and how many at once. */
const expiredInOneGo = 100
const expiredAtOnce = 10

/** Where one that failed does not come up at once again, so that those behind it have their turn. */
const afterFailureMs = 60_000

/** Expires payments whose page can no longer be used, until there is none. */
export async function expireDue(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  let all = 0
  for (;;) {
    const due = await duePayments(sql, clock.now(), expiredInOneGo)
    const done = await countDone(services, due, {
      atOnce: expiredAtOnce,
      signal,
      work: (ownedId) => expirePayment(services, ownedId),
      postpone: (ownedId) => postponePayment(sql, ownedId, new Date(clock.now().getTime() + afterFailureMs)),
    })
    all += done
    if (due.length < expiredInOneGo || done === 0 || signal?.aborted) return all
  }
}

/** What fails again and again is put before people too. */
const waitingAttempts: Waiting = {
  due: ({ sql, clock }) => dueAttempts(sql, clock.now(), ofEachPos),
  attend: attendAttempt,
  postpone: async ({ sql, clock, config }, ownedId) => {
    const now = clock.now()
    const at = (ms: number) => new Date(now.getTime() + ms)
    const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
    await postpone(sql, ownedId, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
  },
}

/** Attends to attempts whose time has come, and answers when all that it took up are done. */
export function attendDue(services: Services, signal?: AbortSignal): Promise<number> {
  return attendAll(services, waitingAttempts, signal)
}

export const sweepJobs: Job<Services>[] = [
  { name: 'expire payments', everyMs: 1_000, work: expireDue },
  laneJob('attend to attempts', waitingAttempts),
  { name: 'count what is unsettled', everyMs: 15_000, work: countUnsettled },
]
