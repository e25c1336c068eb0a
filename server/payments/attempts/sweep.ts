import { endingHttp } from '../../kit/http.ts'
import type { Job } from '../../kit/job.ts'
import type { Metrics } from '../../kit/metrics.ts'
import type { Services } from '../../services.ts'
import { attendAttempt } from './attend-attempt.ts'
import { countUnsettled } from './count-unsettled.ts'
import { expirePayment } from './expire-payment.ts'
import type { Whose } from './store.ts'
import { dueAttempts, duePayments, postpone, postponePayment } from './store.ts'

/** How many payments are expired in one go, and how many at once. */
const expiredInOneGo = 100
const expiredAtOnce = 10

/** How many attempts of a POS are attended to in one go, and how many at once. */
const ofEachPos = 20
const atOnceOfPos = 4

/** Where one that failed does not come up at once again, so that those behind it have their turn. */
const afterFailureMs = 60_000

/** Expires payments whose page can no longer be used, until there is none. */
export async function expireDue(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  let all = 0
  for (;;) {
    const due = await duePayments(sql, clock.now(), expiredInOneGo)
    const done = await countDone(due, {
      atOnce: expiredAtOnce,
      signal,
      work: (whose) => expirePayment(services, whose),
      fail: async (whose, err) => {
        note(services, whose, err)
        await postponePayment(sql, whose, new Date(clock.now().getTime() + afterFailureMs))
      },
    })
    all += done
    if (due.length < expiredInOneGo || done === 0 || signal?.aborted) return all
  }
}

/** Attends to attempts whose time has come, and answers when all that it took up are done. */
export async function attendDue(services: Services, signal?: AbortSignal): Promise<number> {
  const lanes = await dueLanes(services)
  const done = await Promise.all([...lanes.values()].map((lane) => attendLane(services, lane, signal)))
  return done.reduce((sum, count) => sum + count, 0)
}

/** The lanes that are under way in this process, by POS. */
const underWay = new WeakMap<Metrics, Map<number, Promise<number>>>()

/**
 * The same for the background: a POS whose bank is silent has a lane of its own, and holds up no other. Answers how many
 * were taken up.
 */
async function attendInLanes(services: Services, signal: AbortSignal): Promise<number> {
  const busy = underWay.get(services.metrics) ?? new Map<number, Promise<number>>()
  underWay.set(services.metrics, busy)
  const ending = { ...services, http: endingHttp(services.http, signal) }
  let taken = 0
  for (const [posId, lane] of await dueLanes(services)) {
    if (busy.has(posId)) continue
    taken += lane.length
    const attending = attendLane(ending, lane, signal)
    busy.set(
      posId,
      attending.finally(() => busy.delete(posId)),
    )
  }
  return taken
}

export const sweepJobs: Job<Services>[] = [
  { name: 'expire payments', everyMs: 1_000, work: expireDue },
  {
    name: 'attend to attempts',
    everyMs: 1_000,
    work: attendInLanes,
    end: async ({ metrics }) => {
      await Promise.all(underWay.get(metrics)?.values() ?? [])
    },
  },
  { name: 'count unsettled attempts', everyMs: 15_000, work: countUnsettled },
]

async function dueLanes({ sql, clock }: Services): Promise<Map<number, Whose[]>> {
  const due = await dueAttempts(sql, clock.now(), ofEachPos)
  return Map.groupBy(due, ({ posId }) => posId)
}

/** Of one POS. What fails again and again is put before people too. */
function attendLane(services: Services, lane: readonly Whose[], signal?: AbortSignal): Promise<number> {
  const { sql, clock, config } = services
  const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
  return countDone(lane, {
    atOnce: atOnceOfPos,
    signal,
    work: (whose) => attendAttempt(services, whose),
    fail: async (whose, err) => {
      note(services, whose, err)
      const now = clock.now()
      const at = (ms: number) => new Date(now.getTime() + ms)
      await postpone(sql, whose, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
    },
  })
}

function note({ log }: Services, { id }: Whose, err: unknown): void {
  log.error({ err, id }, 'it could not be attended to; it will be tried again')
}

interface Work {
  atOnce: number
  signal: AbortSignal | undefined
  work: (whose: Whose) => Promise<boolean>
  fail: (whose: Whose, err: unknown) => Promise<void>
}

/** How many had something done to them. One that fails keeps no other from its turn; none begins once we are ending. */
async function countDone(due: readonly Whose[], { atOnce, signal, work, fail }: Work): Promise<number> {
  const left = [...due]
  let done = 0
  const worker = async () => {
    for (let whose = left.shift(); whose && !signal?.aborted; whose = left.shift()) {
      const at = whose
      const isDone = await work(at)
        .catch(async (err: unknown) => {
          await fail(at, err)
          return false
        })
        // The database is away, too. It comes up again by itself.
        .catch(() => false)
      if (isDone) done += 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, worker))
  return done
}
