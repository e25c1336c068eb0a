import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import { activeTable } from './active-bins.ts'
import { ageText, turkeyTimeZone } from './day.ts'
import { lastImports, tableById } from './store.ts'

const importsShown = 10

export const showStatusCommand = command({
  input: objectSchema({}),
  run: async (services: Services, _input, print) => {
    const { id, table } = await activeTable(services)
    const imported = await tableById(services.sql, id)
    const importedAt = imported && isoTime(imported.importedAt, turkeyTimeZone)
    const { source, asOf } = table.origin
    const rows = {
      rows: table.rows.size,
      source,
      'as of': `${asOf} (${ageText(asOf, services.clock)})`,
      imported: importedAt ?? 'never; it comes with the program',
    }
    for (const [name, value] of Object.entries(rows)) print(`${name.padEnd(12)}${value}`)
    print('')
    const history = (await lastImports(services.sql, importsShown)).map((each) => [
      isoTime(each.importedAt, turkeyTimeZone),
      String(each.rowCount),
      each.asOf,
      each.id === id ? 'yes' : '-',
      each.source,
    ])
    print(
      history.length === 0
        ? 'No table has been imported yet.'
        : textTable(['IMPORTED', 'ROWS', 'AS OF', 'IN USE', 'SOURCE'], history),
    )
  },
})
