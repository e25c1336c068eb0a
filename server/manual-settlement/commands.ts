import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands by which operators settle unknown outcomes and differences, in the order of the help. */
export const manualSettlementCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'payment settle-outcome',
    about:
      'Settles an outcome in manual review by the bank’s answer. A charge is taken or not_taken. A capture, a release or a refund is done or not_done.',
    example:
      'vezne payment settle-outcome 10000000012345 --outcome not_taken --by "Ayşe Işık" --reason "The bank has no such order."',
    load: async () => (await import('./settle-outcome.ts')).settlePaymentOutcomeCommand,
  },
  {
    name: 'payment settle-difference',
    about:
      'Settles an approval whose amount differs: refunds the surplus, refunds the whole payment, or accepts the difference.',
    example:
      'vezne payment settle-difference 10000000012345 --choice return_surplus --by "Ayşe Işık" --reason "The bank took 1.00 too much."',
    load: async () => (await import('./settle-difference.ts')).settleAmountDifferenceCommand,
  },
]
