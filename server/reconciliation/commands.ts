import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about bank statements, in the order of the help. */
export const reconciliationCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'reconcile',
    about:
      'Compares a bank’s statement of a day with our records and lists the breaks: ours only, theirs only, amount, state. Verifies unverified approvals by the statement. Exits with 1 if there are breaks.',
    example: 'vezne reconcile --file statement-2026-11-15.csv --pos 10000000000007',
    load: async () => (await import('./reconcile.ts')).reconcileCommand,
  },
]
