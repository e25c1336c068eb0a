import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about refunds, in the order in which the help prints them. */
export const refundCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'refund list',
    about: 'Lists open refunds and what each waits for, or the refunds in one state.',
    example: 'vezne refund list',
    load: async () => (await import('./list-refunds.ts')).listRefundsCommand,
  },
  {
    name: 'refund show',
    about: 'Shows a refund: its amount, who requested it, the result of the rules, who decided and why.',
    example: 'vezne refund show 10000000000456',
    load: async () => (await import('./show-refund.ts')).showRefundCommand,
  },
  {
    name: 'refund approve',
    about: 'Approves a refund that is under review. The service then asks the bank to refund the money.',
    example:
      'vezne refund approve 10000000000456 --by "Ayşe Işık" --reason "The goods came back on 15 November."',
    load: async () => (await import('./approve-refund.ts')).approveRefundCommand,
  },
  {
    name: 'refund reject',
    about:
      'Rejects a refund that is under review. The merchant sees the reason, and may request the refund again.',
    example: 'vezne refund reject 10000000000456 --by "Ayşe Işık" --reason "The goods have not come back."',
    load: async () => (await import('./reject-refund.ts')).rejectRefundCommand,
  },
  {
    name: 'refund policy',
    about:
      'Shows the refund review policy of a merchant, and changes the given settings. The rules never object to refunds of a test merchant.',
    example: 'vezne refund policy 10000000000001 --policy automatic --delay-seconds 3600',
    load: async () => (await import('./set-policy.ts')).setPolicyCommand,
  },
]
