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
  /** A day of the bank, as 2026-11-15. */
  day: string
  /** What comes after it is not known yet. */
  now: Date
}

const header = 'day,terminal,reference,type,part,amount,currency,state,at'
const operationsAtOnce = 1000

/** A line about a charge or a refund. */
interface Line {
  /** As it is written, to the second. */
  at: string
  reference: string
  number: number
  text: string
}

/**
 * What the bank did for a terminal on a day, as CSV, in pieces of whole lines. Guarantee: a charge is on it once, if
 * anything but a refund happened to it that day, in its state at the day's end; a refund on the day on which it was made. In
 * the order of their times, then of their references. However long it is, no more is held than a piece, and what
 * happened within a second.
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
    // The last second may go on.
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

/** Lines of the operations at these positions. */
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

/** Whether it has a line: a refund has, and of a charge the last operation that is no refund. */
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
