import { command } from '../../kit/command-line/command.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import { activeTable, builtInTable, builtInTableId } from './active-bins.ts'
import { compareTables, differenceTextLines } from './difference.ts'
import { switchActiveTable } from './replace-bins.ts'

export const restoreBinsCommand = command({
  input: objectSchema({}),
  run: async (services: Services, _input, print) => {
    const before = await activeTable(services)
    if (before.id === builtInTableId) return print('The table that comes with the program is already in use.')
    const own = await builtInTable()
    for (const line of differenceTextLines(compareTables(before.table, own))) print(line)
    await restoreBins(services, before.id)
    print(`Now in use: ${own.size} rows, ${own.origin.source}, as of ${own.origin.asOf}.`)
    print('The change takes effect in every instance within five seconds.')
  },
})

/** Makes the built-in table active again, with the guarantee of `replaceBins`. */
export async function restoreBins({ sql }: Pick<Services, 'sql'>, before: number): Promise<void> {
  await switchActiveTable(sql, before, builtInTableId)
}
