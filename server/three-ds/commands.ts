import type { ListedCommand } from '../kit/command.ts'
import type { Services } from '../services.ts'

/** Commands about 3-D Secure, in the order of the help. */
export const threeDsCommands: readonly ListedCommand<Services>[] = [
  {
    name: 'authentication list',
    about: 'Shows how the holder of each card that was tried for a payment was proven, or why not.',
    example: 'vezne authentication list 10000000000123',
    load: async () => (await import('./list-authentications.ts')).listAuthenticationsCommand,
  },
]
