import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about unknown outcomes and unverified amounts, in the order of the help. */
export const paymentCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'payment unknown',
    about:
      'Lists charges, captures, releases and refunds that need manual review: their outcome is unknown, or the bank’s amount differs from the requested amount. Shows every request to the bank and its answer. The service keeps asking the bank meanwhile.',
    example: 'vezne payment unknown',
    load: async () => (await import('./list-unknown-outcomes.ts')).listUnknownOutcomesCommand,
  },
  {
    name: 'payment verify',
    about:
      'Verifies an approval: records the amount that the bank has. An amount other than the requested amount is a difference.',
    example:
      'vezne payment verify 10000000012345 --amount 1000 --by "Ayşe Işık" --reason "The bank has it on today’s list."',
    load: async () => (await import('./verify-approval-amount.ts')).verifyApprovalAmountCommand,
  },
]
