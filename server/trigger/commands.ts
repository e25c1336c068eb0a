import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands that trigger events, in the order in which the help prints them. */
export const triggerCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'trigger',
    about:
      'Makes an event happen to a test merchant of the running service, with a real payment in the sandbox.',
    example: 'vezne trigger refund.executed',
    load: async () => (await import('./trigger-event.ts')).triggerEventCommand,
  },
]
