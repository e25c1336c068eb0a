import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about POS, their rates and offers, in the order in which the help prints them. */
export const posCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'pos add',
    about:
      'Adds a POS for a merchant: its contract with a bank. The secrets are sealed and never shown again.',
    example:
      'vezne pos add 10000000000001 --name "Garanti Bonus" --bank 62 --connector sandbox --families bonus --single-rate 1.79',
    load: async () => (await import('./add-pos.ts')).addPosCommand,
  },
  {
    name: 'pos list',
    about: 'Lists the POS of one merchant or of all merchants, without secrets.',
    example: 'vezne pos list 10000000000001',
    load: async () => (await import('./list-pos.ts')).listPosCommand,
  },
  {
    name: 'pos show',
    about: 'Shows all data of a POS except its secrets.',
    example: 'vezne pos show 10000000000004',
    load: async () => (await import('./show-pos.ts')).showPosCommand,
  },
  {
    name: 'pos change',
    about:
      'Changes the given settings of a POS. Its bank and its connector cannot change: add another POS instead.',
    example: 'vezne pos change 10000000000004 --state refund_only',
    load: async () => (await import('./change-pos.ts')).changePosCommand,
  },
  {
    name: 'pos reseal',
    about:
      'Seals the secrets of every POS with VEZNE_SECRET. After that, VEZNE_SECRET_PREVIOUS can be removed.',
    example: 'vezne pos reseal',
    load: async () => (await import('./reseal-secrets.ts')).resealPosSecretsCommand,
  },
  {
    name: 'rate set',
    about:
      'Sets the commission rates of a POS for a card family, by number of installments. Past rates do not change.',
    example: 'vezne rate set 10000000000004 --family bonus --rate 1=1.79 --rate 3=4.29 --rate 6=7.49',
    load: async () => (await import('./set-rates.ts')).setRatesCommand,
  },
  {
    name: 'rate end',
    about: 'Ends rates of a POS: it no longer offers these installments. Past rates do not change.',
    example: 'vezne rate end 10000000000004 --family bonus --installment 9 --installment 12',
    load: async () => (await import('./end-rates.ts')).endRatesCommand,
  },
  {
    name: 'rate list',
    about:
      'Shows the current and future rates of a POS, its rates at another time, or every change of its rates.',
    example: 'vezne rate list 10000000000004 --at 2026-01-31',
    load: async () => (await import('./list-rates.ts')).listRatesCommand,
  },
  {
    name: 'offer',
    about:
      'Shows the installments that a card can pay an amount in. For each one: the POS, the payer’s total and the merchant’s share.',
    example: 'vezne offer --bin 40430800 --amount 10000',
    load: async () => (await import('./show-offer.ts')).showOfferCommand,
  },
]
