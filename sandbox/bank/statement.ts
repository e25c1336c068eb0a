import { endInstant, startInstant } from '../../kit/input/day-or-instant.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { chargeHistoryOf } from './charge.ts'
import { bankZone } from './issuer.ts'
import type { ChargeOperation, OperationCursor, StatementOperation } from './store.ts'
import { operationsAfter, operationsOfCharges } from './store.ts'

export interface StatementRequest {
  terminal: string
  /** Day of the bank, such as 2026-11-15. */
  day: string
  /** Operations after this time are left out. */
  now: Date
}

const header = 'day,terminal,reference,type,part,amount,currency,state,at'
const operationsAtOnce = 1000

interface Line {
  /** Time as it is written, to the second. */
  at: string
  reference: string
  number: number
  text: string
}

/**
 * Statement of a terminal for a day, as CSV, in pieces of whole lines. Guarantees:
 * - A charge has one line if anything except a refund happened to it that day. The line shows its state at
 * the end of the day.
 * - A refund has a line on the day it was made.
 * - Lines are in the order of their times, then of their references.
 * - Memory holds at most one piece and the lines of one second.
 */
export async function* statementOf(sql: Sql, terms: StatementRequest): AsyncGenerator<string> {
  const { terminal, day, now } = terms
  const untilMs = Math.min(endInstant({ day }, bankZone).getTime(), now.getTime() + 1)
  const [until, end] = [new Date(untilMs), new Date(untilMs - 1)]
  const limit = operationsAtOnce
  yield `${header}\n`
  let position: OperationCursor | undefined = {
    at: startInstant({ day }, bankZone),
    reference: '',
    number: 0,
  }
  let waiting: Line[] = []
  while (position) {
    const found = await operationsAfter(sql, terminal, position, { until, limit })
    position = found.length < limit ? undefined : found.at(-1)
    waiting.push(...(await linesOf(sql, terms, found, end)))
    // The next page of operations can contain more of the last second.
    const second = position && isoTime(position.at, bankZone)
    yield* textOf(waiting.filter(({ at }) => at !== second))
    waiting = waiting.filter(({ at }) => at === second)
  }
}

function* textOf(lines: readonly Line[]): Iterable<string> {
  const inOrder = lines.toSorted(
    (one, other) =>
      compare(one.at, other.at) || compare(one.reference, other.reference) || one.number - other.number,
  )
  if (inOrder.length > 0) yield inOrder.map(({ text }) => `${text}\n`).join('')
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

async function linesOf(
  sql: Sql,
  { terminal, day }: StatementRequest,
  positions: readonly OperationCursor[],
  end: Date,
): Promise<Line[]> {
  const references = [...new Set(positions.map(({ reference }) => reference))]
  const byReference = Map.groupBy(
    await operationsOfCharges(sql, terminal, references),
    (operation: StatementOperation) => operation.reference,
  )
  const pasts = new Map(
    [...byReference].map(([reference, operations]) => [
      reference,
      chargeHistoryOf(operations, end).operations,
    ]),
  )
  return positions.flatMap(({ reference, number }) => {
    const history = pasts.get(reference) ?? []
    const operation = history.find((each) => each.number === number)
    if (!operation || !isOnStatement(operation, history)) return []
    const { kind, part, currency } = operation
    const type = kind === 'refunded' ? 'refund' : 'charge'
    const amount = decimalText(operation.amount, '.')
    const at = isoTime(operation.at, bankZone)
    const fields = [day, terminal, reference, type, part ?? '', amount, currency, states[kind], at]
    return [{ at, reference, number, text: fields.map(csvField).join(',') }]
  })
}

/** True if the operation has a line: a refund, or the charge's last operation that is not a refund. */
function isOnStatement<Own extends ChargeOperation>(operation: Own, history: readonly Own[]): boolean {
  return operation.kind === 'refunded' || operation === history.findLast(({ kind }) => kind !== 'refunded')
}

const states: Readonly<Record<ChargeOperation['kind'], string>> = {
  authorized: 'taken',
  captured: 'taken',
  held: 'held',
  voided: 'undone',
  refunded: 'done',
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
