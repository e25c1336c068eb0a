import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about message traces, in the order in which the help prints them. */
export const traceCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'trace list',
    about:
      'Shows the messages of 3-D Secure and of the bank’s page that a payment caused, without cards and codes.',
    example: 'vezne trace list 10000000000123',
    load: async () => (await import('./list-traces.ts')).listTracesCommand,
  },
]
