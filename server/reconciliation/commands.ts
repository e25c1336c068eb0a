import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about bank statements, in the order of the help. */
export const reconciliationCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'reconcile',
    about:
      'Compares a day’s statement of a bank with our book and lists the breaks: ours only, theirs only, amount, state. Records what it shows of unverified approvals. Ends with 1 if there are breaks.',
    example: 'vezne reconcile --file statement-2026-11-15.csv --pos 10000000000007',
    load: async () => (await import('./reconcile.ts')).reconcileCommand,
  },
]
