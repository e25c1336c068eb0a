import type { RecordedCharge, RecordedModification, StateAndAmount } from './recorded-charge.ts'
import type { LineSubject, StatementLine } from './statement-lines.ts'

export const breakKinds = ['ours_only', 'theirs_only', 'amount', 'state'] as const

/** Remarks, which are no breaks but may be worth a look: it may be on, or of, another day. */
export const remarkKinds = ['near_edge', 'other_day'] as const

export type BreakOrRemarkKind = (typeof breakKinds)[number] | (typeof remarkKinds)[number]

/** Where a statement and our book differ, with all that it takes to look after it. */
export interface ReconciliationBreak {
  kind: BreakOrRemarkKind
  subject: LineSubject
  /** By what the bank knows the charge. */
  reference: string
  /** Null where there is nothing of ours. */
  paymentId: number | null
  posId: number | null
  refundId: number | null
  ours: StateAndAmount | null
  theirs: StateAndAmount | null
  /** Its line in the file; null where it has none. */
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
 * Whether a refund gives back all of the charge, as we have it done where a charge can no longer be voided: all that the
 * statement says was taken; where it has no line of the charge, all that we asked for.
 */
export function isFullRefund(
  { chargedMinor: amountMinor, currency }: RecordedCharge,
  refund: StatementLine,
  line: StatementLine | undefined,
): boolean {
  return isSameMoney(line ?? { amountMinor, currency }, refund)
}

const nothing = { refundId: null, ours: null, theirs: null, line: null, terminal: null, note: null }

/** State and amount, and nothing else that may be known. */
function stateAndAmountOf({ state, amountMinor, currency }: StateAndAmount): StateAndAmount {
  return { state, amountMinor, currency }
}

/** Both have it, and not the same of it. */
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

/** We have it, and the statement does not. */
export function oursOnlyBreak(
  kind: 'ours_only' | 'near_edge',
  { reference, paymentId, posId }: RecordedCharge,
  more: { subject: LineSubject; ours: StateAndAmount; refundId?: number | null },
): ReconciliationBreak {
  const { subject, ours, refundId = null } = more
  return { ...nothing, kind, subject, reference, paymentId, posId, refundId, ours: stateAndAmountOf(ours) }
}
