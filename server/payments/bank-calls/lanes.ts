import { abortableHttpClient } from '../../../kit/outbound/http-client.ts'
import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { Metrics } from '../../../kit/runtime/metrics.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Services } from '../../services.ts'

/** Delay before a failed item is due again, so that the items behind it are processed. */
export const afterFailureMs = 60_000

/** Due work of one kind, processed by asking the bank of a POS. */
export interface DueWorkQueue {
  due(services: Services): Promise<(OwnedId & { posId: number })[]>
  /** Returns true if there was something to do. */
  processOne(services: Services, ownedId: OwnedId): Promise<boolean>
  /** Postpones a failed item, so that the items behind it are processed. */
  postpone(services: Services, ownedId: OwnedId): Promise<void>
}

/** Due items of a POS that one pass processes; `atOnceOfPos` of them run at the same time. */
export const maxDueItemsPerPos = 20
const atOnceOfPos = 4

/** Processes due items, and returns when all of them are done. */
export async function processDueInLanes(
  services: Services,
  dueWork: DueWorkQueue,
  signal?: AbortSignal,
): Promise<number> {
  const lanes = await lanesOf(services, dueWork)
  const done = await Promise.all(
    [...lanes.values()].map((lane) => processLane(services, dueWork, lane, signal)),
  )
  return done.reduce((sum, count) => sum + count, 0)
}

/** Background job with one lane per POS, so that a silent bank delays no other. */
export function perPosLaneJob(name: string, dueWork: DueWorkQueue): BackgroundJob<Services> {
  /** Running lanes of a process, by POS. */
  const underWay = new WeakMap<Metrics, Map<number, Promise<number>>>()
  return {
    name,
    everyMs: 1_000,
    work: async (services, signal) => {
      const busy = underWay.get(services.metrics) ?? new Map<number, Promise<number>>()
      underWay.set(services.metrics, busy)
      const ending = { ...services, http: abortableHttpClient(services.http, signal) }
      let taken = 0
      for (const [posId, lane] of await lanesOf(services, dueWork)) {
        if (busy.has(posId)) continue
        taken += lane.length
        const processing = processLane(ending, dueWork, lane, signal)
        busy.set(
          posId,
          processing.finally(() => busy.delete(posId)),
        )
      }
      return taken
    },
    end: async ({ metrics }) => {
      await Promise.all(underWay.get(metrics)?.values() ?? [])
    },
  }
}

async function lanesOf(services: Services, { due }: DueWorkQueue): Promise<Map<number, OwnedId[]>> {
  return Map.groupBy(await due(services), ({ posId }) => posId)
}

function processLane(
  services: Services,
  { processOne, postpone }: DueWorkQueue,
  lane: readonly OwnedId[],
  signal?: AbortSignal,
): Promise<number> {
  return processDueConcurrently(services, lane, {
    atOnce: atOnceOfPos,
    signal,
    work: (ownedId) => processOne(services, ownedId),
    postpone: (ownedId) => postpone(services, ownedId),
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
export async function processDueConcurrently(
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
