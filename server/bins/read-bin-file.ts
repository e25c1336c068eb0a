import { forEachCsvRow } from '../../kit/text/csv.ts'
import type { FileEncoding } from '../../kit/text/file-lines.ts'
import { UnreadableFile, wholeLineChunks } from '../../kit/text/file-lines.ts'
import { BinRows, withDoubleCapacity } from './bin-rows.ts'
import type { CardKind } from './card.ts'
import type { ColumnName, Columns } from './columns.ts'
import { isSeparatorLine, readColumns, separatorIn } from './columns.ts'
import type { KindColumnValues } from './read-card-kind.ts'
import { BadRow, readCardKind } from './read-card-kind.ts'

export const maxRows = 1_000_000
const maxKinds = 50_000

/** How many refused rows are told one by one. */
const maxReported = 100

/** How many ways of writing a kind are remembered; a file has few, unless it is not what it should be. */
const maxRemembered = 2_000

/** A row that cannot be taken, by the line on which it begins. */
export interface RefusedRow {
  line: number
  reason: string
}

export interface BinFile {
  rows: BinRows
  /** The first of the refused rows. */
  refused: RefusedRow[]
  refusedCount: number
  /** Columns that mean nothing to us. */
  ignoredColumns: string[]
}

export interface ReadBinFileOptions {
  encoding?: FileEncoding
  /** Told after every 50 000 rows. */
  onProgress?(rows: number): void
}

const expected = {
  what: 'table of BINs',
  orElse: 'say --encoding windows-1254 if it was saved as an ordinary CSV on a Turkish Windows',
}

/**
 * Reads a file of BINs row by row. Guarantee: every row is taken or refused with its line and a reason; a file that is
 * no such table is refused whole, as an UnreadableFile, however large it is and whatever it holds.
 */
export async function readBinFile(
  bytes: AsyncIterable<Buffer>,
  { encoding = 'utf-8', onProgress = () => undefined }: ReadBinFileOptions = {},
): Promise<BinFile> {
  const lines = wholeLineChunks(bytes, { ...expected, encoding })
  const first = await lines.next()
  if (first.done) throw new UnreadableFile('The file is empty.')
  const reading = new Reading(onProgress)
  const text = async function* () {
    yield first.value
    yield* lines
  }
  await forEachCsvRow(text(), separatorIn(first.value), (row, line) => reading.take(row, line))
  return reading.end()
}

/** What was read so far. */
class Reading {
  readonly #rows = new BinRows()
  readonly #onProgress: (rows: number) => void
  /** A bit for every number of up to eight digits, so that no list need be searched for digits that were there before. */
  readonly #seen = new Uint8Array(10 ** 8 / 8)
  /** The lines of the rows that were taken. */
  #lines = new Uint32Array(1024)
  readonly #indexOfKind = new Map<string, number>()
  readonly #kindByText = new Map<string, number | string>()
  readonly #refused: RefusedRow[] = []
  #refusedCount = 0
  #rowCount = 0
  #columns: Columns | undefined

  constructor(onProgress: (rows: number) => void) {
    this.#onProgress = onProgress
  }

  take(record: readonly string[], line: number): void {
    if (!this.#columns) {
      if (line > 1 || !isSeparatorLine(record)) this.#columns = readColumns(record)
      return
    }
    this.#rowCount += 1
    if (this.#rowCount > maxRows) {
      throw new UnreadableFile(`The file has more than ${maxRows} rows.`)
    }
    const reason = this.#takeRow(this.#columns, record, line)
    if (reason !== undefined) {
      this.#refusedCount += 1
      if (this.#refused.length < maxReported) this.#refused.push({ line, reason })
    }
    if (this.#rowCount % 50_000 === 0) this.#onProgress(this.#rowCount)
  }

  end(): BinFile {
    if (!this.#columns) throw new UnreadableFile('The file is empty.')
    return {
      rows: this.#rows,
      refused: this.#refused,
      refusedCount: this.#refusedCount,
      ignoredColumns: this.#columns.ignored,
    }
  }

  /** Takes the row, or says why it cannot be taken. */
  #takeRow(columns: Columns, record: readonly string[], line: number): string | undefined {
    if (record.length !== columns.count) {
      return `has ${record.length} values, but there are ${columns.count} columns`
    }
    const digits = (record[columns.indexes.get('bin_number') ?? 0] ?? '').trim()
    // Whatever else stands there may be a card number, so it is not repeated.
    if (!/^[1-9]\d{5,7}$/.test(digits)) return 'bin_number must be 6 to 8 digits, the first of them not 0'
    const kindIndex = this.#readKind(columns, record)
    if (typeof kindIndex === 'string') return kindIndex
    const prefix = Number(digits)
    const bit = 1 << (prefix & 7)
    const byte = this.#seen[prefix >>> 3] ?? 0
    if (byte & bit) return `has the same bin_number as line ${this.#lineOf(prefix)}`
    this.#seen[prefix >>> 3] = byte | bit
    if (this.#rows.size === this.#lines.length) this.#lines = withDoubleCapacity(this.#lines)
    this.#lines[this.#rows.size] = line
    this.#rows.add(prefix, kindIndex)
    return undefined
  }

  /** The index of the row's kind, or why it has none. Very many rows are written alike: what they mean is worked out once. */
  #readKind({ indexes }: Columns, record: readonly string[]): number | string {
    const bin = indexes.get('bin_number')
    let text = ''
    for (const columnIndex of indexes.values())
      if (columnIndex !== bin) text += `${record[columnIndex]?.length} ${record[columnIndex]}`
    let known = this.#kindByText.get(text)
    if (known === undefined) {
      const at = (name: ColumnName) => (record[indexes.get(name) ?? -1] ?? '').trim()
      known = this.#learnKind({
        bank_code: at('bank_code'),
        bank_name: at('bank_name'),
        card_brand: at('card_brand'),
        card_type: at('card_type'),
        card_family: at('card_family'),
        card_segment: at('card_segment'),
        country: at('country'),
        prepaid: at('prepaid'),
      })
      if (this.#kindByText.size >= maxRemembered) this.#kindByText.clear()
      this.#kindByText.set(text, known)
    }
    return known
  }

  #learnKind(values: KindColumnValues): number | string {
    let kind: CardKind
    try {
      kind = readCardKind(values)
    } catch (error) {
      if (error instanceof BadRow) return error.message
      throw error
    }
    const name = JSON.stringify(kind)
    const known = this.#indexOfKind.get(name)
    if (known !== undefined) return known
    const index = this.#rows.kinds.push(kind) - 1
    if (index === maxKinds) {
      throw new UnreadableFile(
        `The file has more than ${maxKinds} kinds of cards. Is a column of something else called bank_name?`,
      )
    }
    this.#indexOfKind.set(name, index)
    return index
  }

  /** Looked for only as long as somebody is told of it. */
  #lineOf(prefix: number): number {
    if (this.#refused.length >= maxReported) return 0
    return this.#lines[this.#rows.prefixes.indexOf(prefix)] ?? 0
  }
}
