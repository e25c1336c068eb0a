import { command } from '../../kit/command-line/command.ts'
import { fixedLengthIntegerField, objectSchema } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import { activeTable } from './active-bins.ts'
import { longestPrefix, rowsMatching } from './bin-table.ts'
import { columnValuesOf } from './difference.ts'

export const showBinCommand = command({
  positionals: ['bin'],
  input: objectSchema({
    bin: fixedLengthIntegerField('First eight digits of a card number. Do not give the whole number.', {
      count: longestPrefix,
    }),
  }),
  run: async (services: Services, { bin }, print) => {
    const { table } = await activeTable(services)
    const { source, asOf } = table.origin
    const [answering, ...passedOver] = rowsMatching(table, bin)
    if (!answering) {
      throw new Error(
        `The BIN ${bin} is unknown: no row matches it. The table in use: ${source}, as of ${asOf}.`,
      )
    }
    const others = passedOver.map(({ prefix }) => prefix).join(', ')
    const match = others === '' ? 'the only match' : `the longest match; shorter matches: ${others}`
    const lines: [string, string][] = [
      ['bin_number', String(bin)],
      ...columnValuesOf(answering.kind),
      ['row', `${answering.prefix}, ${match}`],
      ['source', source],
      ['as of', asOf],
    ]
    for (const [name, value] of lines) print(`${name.padEnd(14)}${value}`)
  },
})
