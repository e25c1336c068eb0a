import { forEachCsvRow } from '../../kit/text/csv.ts'
import type { FileEncoding } from '../../kit/text/file-lines.ts'
import { UnreadableFile, wholeLineChunks } from '../../kit/text/file-lines.ts'
import type { BinRows } from './bin-table.ts'
import type { CardKind } from './card.ts'
import type { FileColumns } from './columns.ts'
import { isSeparatorLine, kindColumns, readColumns, separatorIn } from './columns.ts'
import type { KindColumnValues } from './read-card-kind.ts'
import { BadRow, readCardKind } from './read-card-kind.ts'

export const maxRows = 1_000_000
const maxKinds = 50_000

/** Limit of refused rows that are reported one by one. */
const maxReported = 100

/** Limit of cached spellings of kinds; a valid file has few. */
const maxRemembered = 2_000

/** Refused row, with the line on which it begins. */
export interface RefusedRow {
  line: number
  reason: string
}

export interface BinFile {
  rows: BinRows
  /** First refused rows, up to 100. */
  refused: RefusedRow[]
  refusedCount: number
  /** Unknown columns. */
  ignoredColumns: string[]
}

export interface ReadBinFileOptions {
  encoding?: FileEncoding
  /** Called after every 50 000 rows. */
  onProgress?(rows: number): void
}

const expected = {
  what: 'BIN table',
  orElse: 'use --encoding windows-1254 if it was saved as an ordinary CSV on a Turkish Windows',
}

/**
 * Reads a BIN file row by row. Guarantee: every row is accepted, or refused with its line and a reason. A
 * file that is not a BIN table is refused as a whole with an UnreadableFile, whatever its size and content.
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

/** State of a read in progress. */
class Reading {
  readonly #rows = new Map<number, CardKind>()
  readonly #onProgress: (rows: number) => void
  /** Lines of the accepted rows. */
  readonly #lines = new Map<number, number>()
  readonly #kinds = new Map<string, CardKind>()
  readonly #kindByText = new Map<string, CardKind | string>()
  readonly #refused: RefusedRow[] = []
  #refusedCount = 0
  #rowCount = 0
  #columns: FileColumns | undefined

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

  /** Accepts a row, or returns the reason for its refusal. */
  #takeRow(columns: FileColumns, record: readonly string[], line: number): string | undefined {
    if (record.length !== columns.count) {
      return `has ${record.length} values, but there are ${columns.count} columns`
    }
    const digits = (record[columns.indexes.get('bin_number') ?? 0] ?? '').trim()
    // The value may be a card number, so it is not repeated.
    if (!/^[1-9]\d{5,7}$/.test(digits)) return 'bin_number must be 6 to 8 digits and must not begin with 0'
    const kind = this.#readKind(columns, record)
    if (typeof kind === 'string') return kind
    const prefix = Number(digits)
    const before = this.#lines.get(prefix)
    if (before !== undefined) return `has the same bin_number as line ${before}`
    this.#lines.set(prefix, line)
    this.#rows.set(prefix, kind)
    return undefined
  }

  /**
   * Kind of the row, or the reason for its refusal. Most rows share few spellings, so each spelling is parsed
   * once.
   */
  #readKind({ indexes }: FileColumns, record: readonly string[]): CardKind | string {
    const values = kindColumns.map((name) => record[indexes.get(name) ?? -1] ?? '')
    const text = JSON.stringify(values)
    let known = this.#kindByText.get(text)
    if (known === undefined) {
      known = this.#learnKind(values.map((value) => value.trim()))
      if (this.#kindByText.size >= maxRemembered) this.#kindByText.clear()
      this.#kindByText.set(text, known)
    }
    return known
  }

  #learnKind(values: readonly string[]): CardKind | string {
    let kind: CardKind
    try {
      const columns = kindColumns.map((name, index) => [name, values[index]])
      kind = readCardKind(Object.fromEntries(columns) as KindColumnValues)
    } catch (error) {
      if (error instanceof BadRow) return error.message
      throw error
    }
    const name = JSON.stringify(kind)
    const known = this.#kinds.get(name)
    if (known) return known
    if (this.#kinds.size === maxKinds) {
      throw new UnreadableFile(
        `The file has more than ${maxKinds} kinds of cards. Check whether the column bank_name contains something else.`,
      )
    }
    this.#kinds.set(name, kind)
    return kind
  }
}
