import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about 3-D Secure, in the order of the help text. */
export const threeDsCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'authentication list',
    about:
      'Lists the authentications of a payment, one per card that was tried. Shows how the cardholder was authenticated, or why not.',
    example: 'vezne authentication list 10000000000123',
    load: async () => (await import('./list-authentications.ts')).listAuthenticationsCommand,
  },
]
