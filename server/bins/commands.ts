import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about the BIN table, in the order in which the help prints them. */
export const binCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'bins import',
    about: 'Replaces the whole table of BINs by a file, or nothing of it; says first in what they differ.',
    example: 'vezne bins import bins.csv --source "BKM, November list" --as-of 2026-11-15',
    load: async () => (await import('./import-bins.ts')).importBinsCommand,
  },
  {
    name: 'bins status',
    about: 'Shows which table of BINs is in use, how old it is, and the last imports.',
    example: 'vezne bins status',
    load: async () => (await import('./show-status.ts')).showStatusCommand,
  },
  {
    name: 'bins show',
    about: 'Shows what is known of a BIN, and which row of the table says so.',
    example: 'vezne bins show 54003600',
    load: async () => (await import('./show-bin.ts')).showBinCommand,
  },
  {
    name: 'bins restore',
    about: 'Goes back to the table of BINs that comes with the program; says first in what they differ.',
    example: 'vezne bins restore',
    load: async () => (await import('./restore-bins.ts')).restoreBinsCommand,
  },
]
