import { command } from '../kit/command.ts'
import { record } from '../kit/fields.ts'
import type { Services } from '../services.ts'
import { ownTable, ownTableId, tableInUse } from './current-bins.ts'
import { describeDifference, differenceBetween } from './difference.ts'
import { chooseInstead } from './replace-bins.ts'

export const restoreBinsCommand = command({
  input: record({}),
  run: async (services: Services, _input, print) => {
    const before = await tableInUse(services)
    if (before.id === ownTableId) return print('The table that comes with the program is in use already.')
    const own = await ownTable()
    for (const line of describeDifference(differenceBetween(before.table, own))) print(line)
    await restoreBins(services, before.id)
    print(`Now in use: ${own.size} rows, ${own.origin.source}, as of ${own.origin.asOf}.`)
    print('Running copies follow within five seconds.')
  },
})

/** Lets the table that comes with the program answer again. Guarantee: as of `replaceBins`. */
export async function restoreBins({ sql }: Pick<Services, 'sql'>, before: number): Promise<void> {
  await chooseInstead(sql, before, ownTableId)
}
