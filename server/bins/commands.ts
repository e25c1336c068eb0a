import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about the BIN table, in the order in which the help prints them. */
export const binCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'bins import',
    about: 'Replaces the whole BIN table with a file, or changes nothing. Shows the differences first.',
    example: 'vezne bins import bins.csv --source "BKM, November list" --as-of 2026-11-15',
    load: async () => (await import('./import-bins.ts')).importBinsCommand,
  },
  {
    name: 'bins status',
    about: 'Shows the BIN table in use, its age and the last imports.',
    example: 'vezne bins status',
    load: async () => (await import('./show-status.ts')).showStatusCommand,
  },
  {
    name: 'bins show',
    about: 'Shows the card data of a BIN, and the row of the table that it comes from.',
    example: 'vezne bins show 54003600',
    load: async () => (await import('./show-bin.ts')).showBinCommand,
  },
  {
    name: 'bins restore',
    about: 'Restores the BIN table that comes with the program. Shows the differences first.',
    example: 'vezne bins restore',
    load: async () => (await import('./restore-bins.ts')).restoreBinsCommand,
  },
]
