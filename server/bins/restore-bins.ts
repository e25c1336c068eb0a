import { command } from '../../kit/command-line/command.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import { activeTable, builtInTable, builtInTableId } from './active-bins.ts'
import { differenceTextLines } from './difference.ts'
import { switchActiveTable } from './replace-bins.ts'

export const restoreBinsCommand = command({
  input: objectSchema({}),
  run: async (services: Services, _input, print) => {
    const before = await activeTable(services)
    if (before.id === builtInTableId) return print('The table that comes with the program is already in use.')
    const own = await builtInTable()
    for (const line of differenceTextLines(before.table, own)) print(line)
    await switchActiveTable(services.sql, before.id, builtInTableId)
    print(`Now in use: ${own.rows.size} rows, ${own.origin.source}, as of ${own.origin.asOf}.`)
    print('The change takes effect in every instance within five seconds.')
  },
})
