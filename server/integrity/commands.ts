import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands that check the integrity of the records, in the order of the help. */
export const integrityCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'ledger check',
    about:
      'Checks that payments, attempts, modifications, refunds, transfers and events agree, and shows the balances. If they do not agree, lists the violations and exits with 1.',
    example: 'vezne ledger check',
    load: async () => (await import('./check-ledger.ts')).checkLedgerCommand,
  },
]
