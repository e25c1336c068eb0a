import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Config } from '../config.ts'

/** Commands about the payment page. They need only the settings. */
export const checkoutCommands: readonly LazyCommand<{ config: Config }>[] = [
  {
    name: 'verify-page',
    about:
      'Compares the payment page as browsers receive it with this release: headers, policies, scripts. Needs no database. Ends with 1 when anything differs.',
    example: 'vezne verify-page --url https://pay.example',
    load: async () => (await import('./guard/verify-page.ts')).verifyPageCommand,
  },
]
