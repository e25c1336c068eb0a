import type { RecordedCharge, StateAndAmount } from './recorded-charge.ts'
import type { LineSubject, StatementLine } from './statement-lines.ts'

export const breakKinds = ['ours_only', 'theirs_only', 'amount', 'state'] as const

/** Remarks are no breaks: the line may belong to, or be on the statement of, another day. */
export const remarkKinds = ['near_edge', 'other_day'] as const

export type BreakOrRemarkKind = (typeof breakKinds)[number] | (typeof remarkKinds)[number]

/** A difference between a statement and our records, with the details of both sides. */
export interface ReconciliationBreak {
  kind: BreakOrRemarkKind
  subject: LineSubject
  /** Reference of the charge at the bank. */
  reference: string
  /** Null if we have no such charge. */
  paymentId: number | null
  posId: number | null
  refundId: number | null
  ours: StateAndAmount | null
  theirs: StateAndAmount | null
  /** Line number in the file; null if there is no line. */
  line: number | null
  terminal: string | null
  note: string | null
}

export function isSameMoney(
  ours: Pick<StateAndAmount, 'amountMinor' | 'currency'>,
  theirs: Pick<StateAndAmount, 'amountMinor' | 'currency'>,
): boolean {
  return ours.amountMinor === theirs.amountMinor && ours.currency === theirs.currency
}

/**
 * True if a refund returns the whole charge, as happens when a charge can no longer be voided. The charge's
 * line decides the amount; without a line, the amount we asked for.
 */
export function isFullRefund(
  { chargedMinor: amountMinor, currency }: RecordedCharge,
  refund: StatementLine,
  line: StatementLine | undefined,
): boolean {
  return isSameMoney(line ?? { amountMinor, currency }, refund)
}

/** Drops all other fields. */
function stateAndAmountOf({ state, amountMinor, currency }: StateAndAmount): StateAndAmount {
  return { state, amountMinor, currency }
}

/** The two sides of a break: a record of ours, a line of the statement, or both. */
interface BreakSides {
  charge?: RecordedCharge
  ours?: StateAndAmount
  line?: StatementLine
  /** Default: that of the line. */
  subject?: LineSubject
  refundId?: number | null | undefined
  note?: string | null
}

export function breakOf(kind: BreakOrRemarkKind, sides: BreakSides): ReconciliationBreak {
  const { charge, ours, line, subject = line?.subject ?? 'charge', refundId = null, note = null } = sides
  return {
    kind,
    subject,
    reference: line?.reference ?? charge?.reference ?? '',
    paymentId: charge?.paymentId ?? null,
    posId: charge?.posId ?? null,
    refundId,
    ours: ours ? stateAndAmountOf(ours) : null,
    theirs: line ? stateAndAmountOf(line) : null,
    line: line?.line ?? null,
    terminal: line?.terminal ?? null,
    note,
  }
}
