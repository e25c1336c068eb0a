import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands that show payments and their history, in the order of the help. */
export const paymentHistoryCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'payment list',
    about: 'Lists the payments of a merchant, newest first.',
    example: 'vezne payment list --merchant 10000000000001 --state reversing --from 2026-11-01',
    load: async () => (await import('./list-payments.ts')).listPaymentsCommand,
  },
  {
    name: 'payment show',
    about: 'Shows a payment, its attempts and its whole history.',
    example: 'vezne payment show 10000000000123',
    load: async () => (await import('./show-payment.ts')).showPaymentCommand,
  },
]
