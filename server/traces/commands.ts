import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about message traces, in the order in which the help prints them. */
export const traceCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'trace list',
    about: 'Shows the 3-D Secure and bank page messages of a payment. Card numbers and secrets are masked.',
    example: 'vezne trace list 10000000000123',
    load: async () => (await import('./list-traces.ts')).listTracesCommand,
  },
]
