import { endInstant } from '../../kit/input/day-or-instant.ts'
import { startOfDay } from '../../kit/text/zoned-time.ts'
import { bankTimeZone } from '../payments/for-reconciliation.ts'
import type { StatementLine, StatementLines } from './statement-lines.ts'

/** Header line of a statement. */
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

/** A bank's statement of one day. */
export interface Statement {
  /** Undefined if the statement has no lines and no day was given. */
  day: string | undefined
  lineCount: number
  /** Lines whose reference can be ours. */
  lines: StatementLines
  /** The first of all other lines. */
  foreignLines: StatementLine[]
}

/** A day at a bank. The end is the start of the next day. */
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

/** Accepted difference between our clock and the bank's. */
export const clockToleranceMs = 5 * 60 * 1000

/** Possible time of a bank action: from our first request until we knew that it was done. */
export interface TimeSpan {
  fromMs: number
  toMs: number
}

/** Position of a bank action relative to a day: certainly inside, possibly inside, or certainly outside. */
export function positionInDay(
  { startMs, endMs }: BankDay,
  { fromMs, toMs }: TimeSpan,
): 'inside' | 'edge' | 'outside' {
  if (fromMs > startMs + clockToleranceMs && toMs < endMs - clockToleranceMs) return 'inside'
  return toMs >= startMs - clockToleranceMs && fromMs < endMs + clockToleranceMs ? 'edge' : 'outside'
}
