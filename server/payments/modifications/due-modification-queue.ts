import type { Services } from '../../services.ts'
import type { DueWorkQueue } from '../bank-calls/lanes.ts'
import { maxDueItemsPerPos } from '../bank-calls/lanes.ts'
import { dueModificationIds, postponeModification } from '../records/modification.sql.ts'
import type { ModificationKind } from '../records/modification.ts'
import { processModification } from './process-modification.ts'
import type { OutcomeHandler } from './settle-modification.ts'

const afterFailureMs = 60_000

/**
 * Due modifications of some kinds, with the handler of their outcome. A modification that keeps failing needs
 * manual review.
 */
export function dueModificationQueue(
  kinds: readonly ModificationKind[],
  onOutcome: OutcomeHandler,
): DueWorkQueue {
  return {
    due: ({ sql, clock }) => dueModificationIds(sql, kinds, clock.now(), maxDueItemsPerPos),
    processOne: (services, ownedId) => processModification(services, ownedId, onOutcome),
    postpone: async ({ sql, clock, config }: Services, ownedId) => {
      const now = clock.now()
      const at = (ms: number) => new Date(now.getTime() + ms)
      const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
      await postponeModification(sql, ownedId, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
    },
  }
}
