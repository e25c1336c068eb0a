import type { Services } from '../../services.ts'
import type { DueWork } from '../lanes.ts'
import { maxPerPos } from '../lanes.ts'
import type { ModificationKind } from './modification.ts'
import { processModification } from './process-modification.ts'
import type { OutcomeHandler } from './settle-modification.ts'
import { dueModifications, postponeModification } from './store.ts'

const afterFailureMs = 60_000

/** Due modifications of some kinds, with the handler of their outcome. One that keeps failing needs manual review. */
export function dueModificationWork(kinds: readonly ModificationKind[], onOutcome: OutcomeHandler): DueWork {
  return {
    due: ({ sql, clock }) => dueModifications(sql, kinds, clock.now(), maxPerPos),
    processOne: (services, ownedId) => processModification(services, ownedId, onOutcome),
    postpone: async ({ sql, clock, config }: Services, ownedId) => {
      const now = clock.now()
      const at = (ms: number) => new Date(now.getTime() + ms)
      const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
      await postponeModification(sql, ownedId, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
    },
  }
}
