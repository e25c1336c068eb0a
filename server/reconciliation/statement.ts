import { endInstant } from '../../kit/input/day-or-instant.ts'
import { startOfDay } from '../../kit/text/zoned-time.ts'
import { bankTimeZone } from '../payments/index.ts'
import type { StatementLines } from './statement-lines.ts'

/** The first line of a statement. */
export const statementColumns = [
  'day',
  'terminal',
  'reference',
  'type',
  'part',
  'amount',
  'currency',
  'state',
  'at',
] as const

/** Kinds of lines, and the states that each can have. */
export const lineStates = {
  charge: ['taken', 'held', 'undone'],
  refund: ['done'],
} as const

export type LineSubject = keyof typeof lineStates

export type LineState = (typeof lineStates)[LineSubject][number]

/** What a bank says of a charge or of a refund on a day. */
export interface StatementLine {
  /** Its line in the file. */
  line: number
  terminal: string
  reference: string
  subject: LineSubject
  /** What the bank calls a refund, where that may be the id of one of ours. */
  refundId: number | null
  amountMinor: number
  currency: string
  state: LineState
  /** Of two lines that are the same to the letter, the same; of any others, as good as never. */
  mark: number
}

/** What a bank had on a day. */
export interface Statement {
  /** Undefined of one without lines. */
  day: string | undefined
  lineCount: number
  /** Those whose reference may be one of ours. */
  lines: StatementLines
  /** Of all others the first ones. */
  foreignLines: StatementLine[]
}

/** A day at a bank, from its first instant to the first of the next one. */
export interface BankDay {
  day: string
  startMs: number
  endMs: number
}

export function bankDay(day: string): BankDay {
  return {
    day,
    startMs: startOfDay(day, bankTimeZone).getTime(),
    endMs: endInstant({ day }, bankTimeZone).getTime(),
  }
}

/** How far clocks may differ, ours and the bank's. */
export const clockToleranceMs = 5 * 60 * 1000

/** When something was done at the bank: not before we first asked for it, and not after we knew that it was done. */
export interface TimeSpan {
  fromMs: number
  toMs: number
}

/** Where something lies that the bank did: inside the day for certain, at its edge, so that it may, or surely outside. */
export function positionInDay(
  { startMs, endMs }: BankDay,
  { fromMs, toMs }: TimeSpan,
): 'inside' | 'edge' | 'outside' {
  if (fromMs > startMs + clockToleranceMs && toMs < endMs - clockToleranceMs) return 'inside'
  return toMs >= startMs - clockToleranceMs && fromMs < endMs + clockToleranceMs ? 'edge' : 'outside'
}
