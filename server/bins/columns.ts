import { safeExcerpt } from '../../kit/security/safe-excerpt.ts'
import { UnreadableFile } from '../../kit/text/file-lines.ts'
import { foldForSearch } from '../database/full-text-search.ts'

/** The columns of a file of BINs, by the names that we write. */
export const columnNames = [
  'bin_number',
  'bank_code',
  'bank_name',
  'card_brand',
  'card_type',
  'card_family',
  'card_segment',
  'country',
  'prepaid',
] as const

export type ColumnName = (typeof columnNames)[number]

/** Other names that mean the same, shorter or Turkish, as they are folded. */
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

/** Where the columns of a file stand. */
export interface Columns {
  /** How many there are, those that mean nothing to us included. */
  count: number
  /** The index of each that is there. */
  indexes: ReadonlyMap<ColumnName, number>
  /** The names, as they are written, of those that mean nothing to us. */
  ignored: string[]
}

/** The character between the values, by the first line that is not blank. */
export function separatorIn(text: string): ';' | ',' {
  const header = text.split('\n').find((line) => line.trim() !== '') ?? ''
  if (header !== '' && !/[;,]/.test(header)) {
    throw new UnreadableFile('The first line holds neither ; nor ,: one of them stands between the columns.')
  }
  return header.includes(';') ? ';' : ','
}

/** Spreadsheets may be told the separator by a line of its own before all others: `sep=;`. */
export function isSeparatorLine([first = '', ...others]: readonly string[]): boolean {
  return /^sep=$/i.test(first.trim()) && others.every((text) => text.trim() === '')
}

/** Reads the line of names. All that is wrong with it is told at once, for no row can be read without it. */
export function readColumns(header: readonly string[]): Columns {
  const indexes = new Map<ColumnName, number>()
  const ignored: string[] = []
  const faults: string[] = []
  for (const [index, heading] of header.entries()) {
    const name = columnCalled(heading)
    if (!name) ignored.push(heading.trim() === '' ? `number ${index + 1}` : safeExcerpt(heading.trim()))
    else if (indexes.has(name)) faults.push(`The column ${name} is there twice.`)
    else indexes.set(name, index)
  }
  for (const name of ['bin_number', 'card_brand', 'card_type'] as const) {
    if (!indexes.has(name)) faults.push(`The column ${name} is missing.`)
  }
  if (!indexes.has('bank_code') && !indexes.has('bank_name')) {
    faults.push('The columns bank_code and bank_name are both missing; one of them is needed.')
  }
  if (faults.length > 0) {
    const known = `The first line names the columns: ${columnNames.join(', ')}.`
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
