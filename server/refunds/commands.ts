import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about refunds and manual settlement, in the order of the help. */
export const refundCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'payment settle-outcome',
    about:
      'Settles an outcome in manual review by what the bank said: a charge by taken or not_taken; a capture, a release or a refund by done or not_done.',
    example:
      'vezne payment settle-outcome 10000000012345 --outcome not_taken --by "Ayşe Işık" --reason "The bank has no such order."',
    load: async () => (await import('./settle-outcome.ts')).settlePaymentOutcomeCommand,
  },
  {
    name: 'payment settle-difference',
    about:
      'Decides about an approval whose amount differs: gives the surplus back, refunds all of the payment, or accepts it as it is.',
    example:
      'vezne payment settle-difference 10000000012345 --choice return_surplus --by "Ayşe Işık" --reason "The bank took 1.00 too much."',
    load: async () => (await import('./settle-difference.ts')).settleAmountDifferenceCommand,
  },
  {
    name: 'refund list',
    about: 'Lists open refunds with what each waits for, or the refunds in one state.',
    example: 'vezne refund list',
    load: async () => (await import('./list-refunds.ts')).listRefundsCommand,
  },
  {
    name: 'refund show',
    about: 'Shows a refund: what is given back, who asked for it, what the rules found, who decided and why.',
    example: 'vezne refund show 10000000000456',
    load: async () => (await import('./show-refund.ts')).showRefundCommand,
  },
  {
    name: 'refund approve',
    about: 'Approves a refund that is under review: the bank is asked to give the money back from now on.',
    example:
      'vezne refund approve 10000000000456 --by "Ayşe Işık" --reason "The goods came back on 15 November."',
    load: async () => (await import('./approve-refund.ts')).approveRefundCommand,
  },
  {
    name: 'refund reject',
    about: 'Rejects a refund that is under review. Its merchant is told the reason, and may ask again.',
    example: 'vezne refund reject 10000000000456 --by "Ayşe Işık" --reason "The goods have not come back."',
    load: async () => (await import('./reject-refund.ts')).rejectRefundCommand,
  },
  {
    name: 'refund policy',
    about:
      'Shows how the refunds of a merchant are reviewed, and changes what is given. To those of a test merchant the rules never object.',
    example: 'vezne refund policy 10000000000001 --policy automatic --delay-seconds 3600',
    load: async () => (await import('./set-policy.ts')).setPolicyCommand,
  },
]
