import { abortableHttpClient } from '../../../kit/outbound/http-client.ts'
import { later } from '../../../kit/runtime/clock.ts'
import type { DueJob } from '../../../kit/runtime/job.ts'
import type { SqlFragment } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Services } from '../../services.ts'
import type { DueWorkId } from '../records/bank-work.sql.ts'
import { postponeWork } from '../records/bank-work.sql.ts'
import type { BankWork, BankWorkState } from './bank-work.ts'
import { processBankWork } from './bank-work.ts'

/** Delay before a failed item is due again, so that the items behind it are processed. */
export const afterFailureMs = 60_000

/** Due work of one kind. */
export interface BankWorkQueue<State extends BankWorkState> {
  readonly work: BankWork<State>
  due(services: Services): Promise<DueWorkId[]>
  /** Due times of the items until a time. */
  dueTimes(until: Date): SqlFragment
}

/** Due items of a POS that one pass processes; `atOnceOfPos` of them run at the same time. */
export const maxDueItemsPerPos = 20
const atOnceOfPos = 4

/** Background job with one lane per POS, so that a silent bank delays no other. */
export function perPosLaneJob<State extends BankWorkState>(
  name: string,
  queue: BankWorkQueue<State>,
): DueJob<Services> {
  const posWithRunningLane = () => new Set<number>()
  return {
    name,
    due: queue.dueTimes,
    work: async (services, signal) => {
      const busy = services.processState.of(posWithRunningLane)
      const ending = { ...services, http: abortableHttpClient(services.http, signal) }
      let taken = 0
      for (const [posId, lane] of await lanesOf(services, queue)) {
        if (busy.has(posId)) continue
        taken += lane.length
        busy.add(posId)
        const processing = processLane(ending, queue.work, lane, signal)
        void services.tasks.add(processing.finally(() => busy.delete(posId)))
      }
      return taken
    },
  }
}

/** Due work by POS. */
export async function lanesOf(
  services: Services,
  { due }: { due(services: Services): Promise<DueWorkId[]> },
): Promise<Map<number, OwnedId[]>> {
  return Map.groupBy(await due(services), ({ posId }) => posId)
}

/**
 * Processes the due work of one POS. Work whose processing fails is postponed. If it also began longer ago than the
 * last inquiry of the schedule, it needs manual review.
 */
export function processLane<State extends BankWorkState>(
  services: Services,
  work: BankWork<State>,
  lane: readonly OwnedId[],
  signal?: AbortSignal,
): Promise<number> {
  const { sql, clock, config, log } = services
  return processDueConcurrently(services, lane, {
    atOnce: atOnceOfPos,
    signal,
    work: (ownedId) => processBankWork(services, work, ownedId),
    postpone: async (ownedId) => {
      const now = clock.now()
      const dueAt = new Date(now.getTime() + afterFailureMs)
      const since = later(now, -(config.inquireAfterSeconds.at(-1) ?? 0))
      const isReviewNew = await postponeWork(sql, work.table, ownedId, { now, dueAt, since })
      const state = isReviewNew && (await work.read(sql, ownedId))
      if (state) work.warnOfReview(log, state)
    },
  })
}

interface Work {
  atOnce: number
  signal: AbortSignal | undefined
  work: (ownedId: OwnedId) => Promise<boolean>
  postpone: (ownedId: OwnedId) => Promise<void>
}

/**
 * Processes items and counts the changed ones. A failed item does not stop the others; no item begins after
 * the abort.
 */
async function processDueConcurrently(
  { log }: Pick<Services, 'log'>,
  due: readonly OwnedId[],
  { atOnce, signal, work, postpone }: Work,
): Promise<number> {
  const left = [...due]
  let done = 0
  const worker = async () => {
    for (let ownedId = left.shift(); ownedId && !signal?.aborted; ownedId = left.shift()) {
      const at = ownedId
      const isDone = await work(at)
        .catch(async (err: unknown) => {
          log.error({ err, id: at.id }, 'processing a due item failed; will retry')
          await postpone(at)
          return false
        })
        // Postponing failed too, so the database is away. The item stays due.
        .catch(() => false)
      if (isDone) done += 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, worker))
  return done
}

/** Processes due items in passes, until none is due. */
export async function processUntilNoneIsDue(
  services: Pick<Services, 'log'>,
  { due, inOnePass, ...work }: Work & { due: (limit: number) => Promise<OwnedId[]>; inOnePass: number },
): Promise<number> {
  let all = 0
  for (;;) {
    const some = await due(inOnePass)
    const done = await processDueConcurrently(services, some, work)
    all += done
    if (some.length < inOnePass || done === 0 || work.signal?.aborted) return all
  }
}
