import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Config } from '../config.ts'

/** Commands about the payment page. They need only the settings. */
export const checkoutCommands: readonly LazyCommand<{ config: Config }>[] = [
  {
    name: 'verify-page',
    about:
      'Compares the payment page that browsers receive with this release: headers, policies and scripts. Needs no database. Exits with 1 if anything differs.',
    example: 'vezne verify-page --url https://pay.example',
    load: async () => (await import('./guard/verify-page.ts')).verifyPageCommand,
  },
]
