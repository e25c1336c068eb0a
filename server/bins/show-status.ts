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
    for (const line of await statusTextLines(services)) print(line)
  },
})

export async function statusTextLines(services: Pick<Services, 'sql' | 'clock'>): Promise<string[]> {
  const { sql, clock } = services
  const { id, table: inUse } = await activeTable(services)
  const imported = await tableById(sql, id)
  const { source, asOf } = inUse.origin
  const rows: [string, string][] = [
    ['rows', String(inUse.size)],
    ['source', source],
    ['as of', `${asOf} (${ageText(asOf, clock)})`],
    [
      'imported',
      imported ? isoTime(imported.importedAt, turkeyTimeZone) : 'never; it comes with the program',
    ],
  ]
  const imports = await lastImports(sql, importsShown)
  const history = imports.map((each) => [
    isoTime(each.importedAt, turkeyTimeZone),
    String(each.rowCount),
    each.asOf,
    each.id === id ? 'yes' : '-',
    each.source,
  ])
  return [
    ...rows.map(([name, value]) => `${name.padEnd(12)}${value}`),
    '',
    history.length === 0
      ? 'No table has been imported yet.'
      : textTable(['IMPORTED', 'ROWS', 'AS OF', 'IN USE', 'SOURCE'], history),
  ]
}
