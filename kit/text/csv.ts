import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Info } from 'csv-parse'
import { CsvError, parse } from 'csv-parse'
import { UnreadableFile } from './file-lines.ts'

const longestRecord = 4_096

/** Receives a row and the line on which it begins. */
export type RowHandler = (row: readonly string[], line: number) => void

/**
 * Passes on the rows of a table one by one, without blank ones. Guarantee: a quoting fault throws an
 * UnreadableFile with its line, and no further row is passed on, because its end is unclear.
 */
export async function forEachCsvRow(
  text: AsyncIterable<string>,
  separator: ';' | ',',
  take: RowHandler,
): Promise<void> {
  /** Line on which the last row ended, and the number of blank lines up to it. */
  let last = { line: 0, blankLines: 0 }
  const lineAfter = ({ empty_lines: blankLines }: Pick<Info, 'empty_lines'>) =>
    last.line + blankLines - last.blankLines + 1
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    on_record: (row: string[], info) => {
      const line = lineAfter(info)
      last = { line: info.lines, blankLines: info.empty_lines }
      if (row.some((value) => value.trim() !== '')) take(row, line)
      return null
    },
  })
  try {
    await pipeline(Readable.from(text, { objectMode: false }), parser.resume())
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableFile(sentenceOf(error, lineAfter(parser.info))) : error
  }
}

function sentenceOf({ code }: CsvError, line: number): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `The quote that opens on line ${line} is never closed.`
    case 'CSV_MAX_RECORD_SIZE':
      return `The row that begins on line ${line} is longer than ${longestRecord} characters. Check whether a quote on it is not closed.`
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `On line ${line} a closing quote is followed by text. Write a quote inside a quoted value twice.`
    default:
      if (String(code) === 'INVALID_OPENING_QUOTE') {
        return `On line ${line} a value contains a quote. Put the whole value in quotes, and write that quote twice.`
      }
      return `Line ${line} cannot be read (${code}).`
  }
}
