import { isCalendarDay } from '../../kit/input/day-or-instant.ts'
import { safeExcerpt } from '../../kit/security/safe-excerpt.ts'
import { forEachCsvRow } from '../../kit/text/csv.ts'
import { UnreadableFile, wholeLineChunks } from '../../kit/text/file-lines.ts'
import type { Statement } from './statement.ts'
import { statementColumns } from './statement.ts'
import type { LineState, LineSubject, StatementLine } from './statement-lines.ts'
import { lineStates, maxLines, StatementLines } from './statement-lines.ts'

/** Longer than any bank's terminal or reference name. */
const longestText = 100

export interface StatementReadOptions {
  /** Day that the statement must be of. */
  day?: string | undefined
  /** Limit of kept lines whose reference cannot be ours. */
  maxForeignLines: number
}

/**
 * Reads a statement line by line. Guarantee: all of its lines are read, or the whole file is refused. A file
 * that is not a statement of one day is refused with an UnreadableFile that names the line, whatever its size
 * and content.
 */
export async function readStatement(
  bytes: AsyncIterable<Buffer>,
  { day, maxForeignLines }: StatementReadOptions,
): Promise<Statement> {
  const statement: Statement = { day, lineCount: 0, lines: new StatementLines(), foreignLines: [] }
  let hasHeader = false
  await forEachCsvRow(wholeLineChunks(bytes, { what: 'statement' }), ',', (row, number) => {
    if (!hasHeader) {
      checkHeader(row, number)
      hasHeader = true
      return
    }
    statement.lineCount += 1
    if (statement.lineCount > maxLines) {
      throw new UnreadableFile(`The statement has more than ${maxLines} lines.`)
    }
    const line = readLine(row, number)
    const [dayOfLine = ''] = row
    if (dayOfLine !== statement.day) {
      expect(number, 'day', dayOfLine, isCalendarDay(dayOfLine), 'a day, for example 2026-11-15')
      statement.day ??= dayOfLine
    }
    if (dayOfLine !== statement.day) {
      const expected = day === undefined ? `the lines before it are of ${statement.day}` : `--day is ${day}`
      throw wrong(number, `is of ${dayOfLine}, but ${expected}`)
    }
    if (!statement.lines.add(line) && statement.foreignLines.length < maxForeignLines) {
      statement.foreignLines.push(line)
    }
  })
  if (!hasHeader)
    throw new UnreadableFile(`The file is empty. A statement without lines must contain ${header}.`)
  statement.lines.sort()
  return statement
}

const header = `the line ${statementColumns.join(',')}`

function checkHeader(row: readonly string[], number: number): void {
  if (row.join('\n') === statementColumns.join('\n')) return
  throw new UnreadableFile(`Line ${number} is wrong: a statement must begin with ${header}.`)
}

function wrong(number: number, what: string): UnreadableFile {
  return new UnreadableFile(`Line ${number} ${what}.`)
}

function expect(
  number: number,
  column: (typeof statementColumns)[number],
  value: string,
  isRight: boolean,
  what: string,
): void {
  if (!isRight) throw wrong(number, `has the ${column} “${safeExcerpt(value)}”; it must be ${what}`)
}

function readLine(row: readonly string[], number: number): StatementLine {
  if (row.length !== statementColumns.length) {
    throw wrong(number, `has ${row.length} values, but there are ${statementColumns.length} columns`)
  }
  const [, terminal = '', reference = '', type = '', part = '', amount = '', ...rest] = row
  const [currency = '', state = '', at = ''] = rest
  const subject = type as LineSubject
  const states: readonly string[] = isSubject(type) ? lineStates[subject] : []
  const short = `at most ${longestText} characters`
  const expectations: [(typeof statementColumns)[number], value: string, isRight: boolean, what: string][] = [
    ['terminal', terminal, terminal.length <= longestText, short],
    ['reference', reference, reference.length <= longestText, short],
    ['part', part, part.length <= longestText, short],
    ['at', at, at.length <= longestText, short],
    ['reference', reference, reference.trim() !== '', 'the reference of the charge'],
    ['type', type, isSubject(type), 'charge or refund'],
    ['part', part, part === '' || type === 'refund', 'empty, because the line is about a charge'],
    ['amount', amount, /^\d{1,9}\.\d\d$/.test(amount), 'an amount like 100.00, at most 999999999.99'],
    ['currency', currency, /^[A-Z]{3}$/.test(currency), 'a currency like TRY'],
    ['state', state, states.includes(state), `one of ${states.join(', ')}, because the type is ${type}`],
  ]
  for (const expectation of expectations) expect(number, ...expectation)
  return {
    line: number,
    terminal,
    reference,
    subject,
    refundId: /^[1-9]\d{13}$/.test(part) ? Number(part) : null,
    amountMinor: Number(amount.replace('.', '')),
    currency,
    state: state as LineState,
    mark: markOf(`${part}\n${at}`),
  }
}

function isSubject(type: string): type is LineSubject {
  return Object.hasOwn(lineStates, type)
}

/** FNV-1a, 32 bits: enough to distinguish the few lines of one charge with the same amount. */
function markOf(text: string): number {
  let mark = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    mark = Math.imul(mark ^ text.charCodeAt(index), 0x01000193)
  }
  return mark >>> 0
}
