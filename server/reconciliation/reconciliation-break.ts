import type { RecordedCharge, RecordedModification, StateAndAmount } from './recorded-charge.ts'
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

const nothing = { refundId: null, ours: null, theirs: null, line: null, terminal: null, note: null }

/** Drops all other fields. */
function stateAndAmountOf({ state, amountMinor, currency }: StateAndAmount): StateAndAmount {
  return { state, amountMinor, currency }
}

/** Break of a line and a record that do not agree. */
export function mismatchBreak(
  kind: BreakOrRemarkKind,
  { paymentId, posId }: RecordedCharge,
  line: StatementLine,
  more: { ours: StateAndAmount; note: string | null; modification?: RecordedModification },
): ReconciliationBreak {
  return {
    ...theirsOnlyBreak(line, ''),
    kind,
    paymentId,
    posId,
    refundId: more.modification?.refundId ?? null,
    ours: stateAndAmountOf(more.ours),
    note: more.note,
  }
}

export function theirsOnlyBreak(
  line: StatementLine,
  note: string,
  charge?: RecordedCharge,
): ReconciliationBreak {
  return {
    ...nothing,
    kind: 'theirs_only',
    subject: line.subject,
    reference: line.reference,
    paymentId: charge?.paymentId ?? null,
    posId: charge?.posId ?? null,
    theirs: stateAndAmountOf(line),
    line: line.line,
    terminal: line.terminal,
    note,
  }
}

/** Break of a record without a line. */
export function oursOnlyBreak(
  kind: 'ours_only' | 'near_edge',
  { reference, paymentId, posId }: RecordedCharge,
  more: { subject: LineSubject; ours: StateAndAmount; refundId?: number | null },
): ReconciliationBreak {
  const { subject, ours, refundId = null } = more
  return { ...nothing, kind, subject, reference, paymentId, posId, refundId, ours: stateAndAmountOf(ours) }
}
