import { endInstant } from '../../kit/input/day-or-instant.ts'
import { startOfDay } from '../../kit/text/zoned-time.ts'
import { bankTimeZone } from '../payments/for-reconciliation.ts'
import type { StatementLine, StatementLines } from './statement-lines.ts'

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
