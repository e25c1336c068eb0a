import { command } from '../../kit/command-line/command.ts'
import { fixedLengthIntegerField, objectSchema } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import { activeTable } from './active-bins.ts'
import { longestPrefix } from './bin-table.ts'
import { columnValuesOf } from './difference.ts'

export const showBinCommand = command({
  positionals: ['bin'],
  input: objectSchema({
    bin: fixedLengthIntegerField('First eight digits of a card number. Do not give the whole number.', {
      count: longestPrefix,
    }),
  }),
  run: async (services: Services, { bin }, print) => {
    for (const line of await binTextLines(services, bin)) print(line)
  },
})

/** Data about a BIN in the table in use; throws for an unknown BIN. */
export async function binTextLines(services: Pick<Services, 'sql'>, bin: number): Promise<string[]> {
  const { table } = await activeTable(services)
  const { source, asOf } = table.origin
  const [answering, ...passedOver] = table.rowsFor(bin)
  if (!answering) {
    throw new Error(
      `The BIN ${bin} is unknown: no row matches it. The table in use: ${source}, as of ${asOf}.`,
    )
  }
  const others = passedOver.map(({ prefix }) => prefix).join(', ')
  const lines: [string, string][] = [
    ['bin_number', String(bin)],
    ...columnValuesOf(answering.kind),
    [
      'row',
      `${answering.prefix}, ${others === '' ? 'the only match' : `the longest match; shorter matches: ${others}`}`,
    ],
    ['source', source],
    ['as of', asOf],
  ]
  return lines.map(([name, value]) => `${name.padEnd(14)}${value}`)
}
