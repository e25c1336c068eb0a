import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { Services } from '../../services.ts'
import type { ManualDecision } from '../bank-calls/settle-manually.ts'
import { settleInReview } from '../bank-calls/settle-manually.ts'
import type { ModificationKind, ModificationWithPayment } from '../records/modification.ts'
import { afterManualModificationSettlement } from './decide.ts'
import type { OutcomeHandler } from './modification-work.ts'
import { modificationWork } from './modification-work.ts'

/**
 * Settles a modification in manual review. Guarantee: a release cannot be settled as not done, because the
 * hold must end.
 */
export function settleModificationManually(
  services: Services,
  manual: { id: number; outcome: 'done' | 'not_done' } & ManualDecision,
  outcomeHandlers: Readonly<Record<ModificationKind, OutcomeHandler>>,
): Promise<ModificationWithPayment> {
  const work = modificationWork((caller, merchant, decided) =>
    outcomeHandlers[decided.modification.kind](caller, merchant, decided),
  )
  const { outcome } = manual
  return settleInReview(services, work, manual, ({ modification }) => {
    if (modification.kind === 'release' && outcome === 'not_done')
      throw invalidParameter('outcome', {
        tr: 'Bloke edilen tutar serbest bırakılmalıdır: banka serbest bıraktığında done seçin. O zamana kadar bankaya sorulmaya devam edilir.',
        en: 'The hold must be released: choose done when the bank has released it. Until then, the service keeps asking the bank.',
      })
    return {
      modification: afterManualModificationSettlement(modification, outcome, services.clock.now()),
      // A manual outcome does not state the amount.
      needsVerification: outcome === 'done',
    }
  })
}
