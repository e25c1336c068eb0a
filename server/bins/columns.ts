import { safeExcerpt } from '../../kit/security/safe-excerpt.ts'
import { UnreadableFile } from '../../kit/text/file-lines.ts'
import { foldForSearch } from '../database/full-text-search.ts'

/** Columns that describe the kind of a card. */
export const kindColumns = [
  'bank_code',
  'bank_name',
  'card_brand',
  'card_type',
  'card_family',
  'card_segment',
  'country',
  'prepaid',
] as const

/** Columns of a BIN file, by their canonical names. */
const columnNames = ['bin_number', ...kindColumns] as const

export type ColumnName = (typeof columnNames)[number]

/** Other names of the columns, short or Turkish, folded. */
const otherNames: Readonly<Record<string, ColumnName>> = {
  bin: 'bin_number',
  bin_no: 'bin_number',
  bin_numarasi: 'bin_number',
  banka_kodu: 'bank_code',
  banka: 'bank_name',
  banka_adi: 'bank_name',
  brand: 'card_brand',
  marka: 'card_brand',
  kart_markasi: 'card_brand',
  type: 'card_type',
  kart_tipi: 'card_type',
  kart_turu: 'card_type',
  family: 'card_family',
  aile: 'card_family',
  kart_ailesi: 'card_family',
  segment: 'card_segment',
  kart_segmenti: 'card_segment',
  ulke: 'country',
  on_odemeli: 'prepaid',
}

/** Columns of a file. */
export interface FileColumns {
  /** Number of columns, including unknown ones. */
  count: number
  /** Index of each known column in the file. */
  indexes: ReadonlyMap<ColumnName, number>
  /** Names of unknown columns, as written. */
  ignored: string[]
}

/** Separator of the values, taken from the first line that is not blank. */
export function separatorIn(text: string): ';' | ',' {
  const header = text.split('\n').find((line) => line.trim() !== '') ?? ''
  if (header !== '' && !/[;,]/.test(header)) {
    throw new UnreadableFile(
      'The first line contains neither ; nor ,. Separate the columns with one of them.',
    )
  }
  return header.includes(';') ? ';' : ','
}

/** True for a line such as `sep=;`, which names the separator for spreadsheets. */
export function isSeparatorLine([first = '', ...others]: readonly string[]): boolean {
  return /^sep=$/i.test(first.trim()) && others.every((text) => text.trim() === '')
}

/** Reads the header. Reports all errors together, because no row can be read without a valid header. */
export function readColumns(header: readonly string[]): FileColumns {
  const indexes = new Map<ColumnName, number>()
  const ignored: string[] = []
  const faults: string[] = []
  for (const [index, heading] of header.entries()) {
    const name = columnCalled(heading)
    if (!name) ignored.push(heading.trim() === '' ? `number ${index + 1}` : safeExcerpt(heading.trim()))
    else if (indexes.has(name)) faults.push(`The column ${name} appears twice.`)
    else indexes.set(name, index)
  }
  for (const name of ['bin_number', 'card_brand', 'card_type'] as const) {
    if (!indexes.has(name)) faults.push(`The column ${name} is missing.`)
  }
  if (!indexes.has('bank_code') && !indexes.has('bank_name')) {
    faults.push('The columns bank_code and bank_name are both missing. One of them is required.')
  }
  if (faults.length > 0) {
    const known = `The first line must name the columns: ${columnNames.join(', ')}.`
    throw new UnreadableFile([...faults, known].join('\n'))
  }
  return { count: header.length, indexes, ignored }
}

function columnCalled(heading: string): ColumnName | undefined {
  const name = foldForSearch(heading.trim()).replaceAll(/[\s_-]+/g, '_')
  return (
    columnNames.find((known) => known === name) ??
    (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined)
  )
}
