import { basename } from 'node:path'
import type { Static } from 'typebox'
import type { Print } from '../../kit/command-line/command.ts'
import { command } from '../../kit/command-line/command.ts'
import {
  booleanField,
  choiceField,
  filePathField,
  objectSchema,
  optional,
  parsedTextField,
  textField,
} from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { fileBytes, fileEncodings } from '../../kit/text/file-lines.ts'
import type { Services } from '../services.ts'
import { activeTable } from './active-bins.ts'
import type { BinTableOrigin } from './bin-table.ts'
import { readDay, todayInTurkey } from './day.ts'
import { differenceTextLines } from './difference.ts'
import type { BinFile } from './read-bin-file.ts'
import { readBinFile } from './read-bin-file.ts'
import { replaceBins } from './replace-bins.ts'

const longestSource = 200

const ImportBins = objectSchema({
  file: filePathField('CSV file with one line per BIN.'),
  source: optional(textField('Source of the table. Default: the name of the file.', { max: longestSource })),
  as_of: optional(
    parsedTextField('Date of the data, for example 2026-11-15. Default: today.', {
      max: 10,
      parse: readDay,
    }),
  ),
  encoding: optional(choiceField('Character encoding of the file. Default: utf-8.', fileEncodings)),
  skip_bad: optional(
    booleanField(
      'Imports the valid rows even if other rows are refused. Default: imports nothing if a row is refused.',
    ),
  ),
  dry_run: optional(booleanField('Shows what would change, and changes nothing.')),
})

export const importBinsCommand = command({ positionals: ['file'], input: ImportBins, run: importBins })

export async function importBins(
  services: Services,
  input: Static<typeof ImportBins>,
  print: Print,
): Promise<void> {
  const origin = originOf(services, input)
  const onProgress = (count: number) => print(`${counted(count)} read …`)
  const file = await readBinFile(fileBytes(input.file), { encoding: input.encoding ?? 'utf-8', onProgress })
  if (file.ignoredColumns.length > 0) print(`Ignored columns: ${file.ignoredColumns.join(', ')}.`)
  for (const line of describeRefused(file)) print(line)
  if (file.refusedCount > 0 && !input.skip_bad) {
    throw new Error('Nothing was changed. Fix these rows, or import only the other rows with --skip-bad.')
  }
  const { rows } = file
  if (rows.size === 0) throw new Error('Nothing was changed: the file has no valid row.')
  const table = { origin, rows }
  const before = await activeTable(services)
  for (const line of differenceTextLines(before.table, table)) print(line)
  if (input.dry_run) return print('Nothing was changed: this was a dry run.')
  print(`Writing ${counted(rows.size)} …`)
  await replaceBins(services, table, before.id)
  print(`Now in use: ${counted(rows.size)}, ${origin.source}, as of ${origin.asOf}.`)
  print('The change takes effect in every instance within five seconds.')
}

function originOf({ clock }: Pick<Services, 'clock'>, input: Static<typeof ImportBins>): BinTableOrigin {
  const today = todayInTurkey(clock)
  const { as_of: asOf = today } = input
  if (asOf > today) {
    throw invalidParameter('as_of', { tr: 'Gelecekte bir gün olamaz.', en: 'Must not be in the future.' })
  }
  const fileName = basename(input.file).replaceAll(/\p{C}/gu, '').slice(0, longestSource)
  return { source: input.source ?? (fileName || 'a file'), asOf }
}

function counted(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`
}

function describeRefused({ rows, refused, refusedCount }: BinFile): string[] {
  if (refusedCount === 0) return rows.size === 0 ? [] : [`${counted(rows.size)} read, none refused.`]
  const more = refusedCount - refused.length
  return [
    `${counted(rows.size)} valid, ${refusedCount} refused:`,
    ...refused.map(({ line, reason }) => `line ${line}: ${reason}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}
