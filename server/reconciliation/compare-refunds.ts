import type { ReconciliationBreak } from './reconciliation-break.ts'
import {
  isFullRefund,
  isSameMoney,
  mismatchBreak,
  oursOnlyBreak,
  theirsOnlyBreak,
} from './reconciliation-break.ts'
import type { RecordedCharge, RecordedModification, StateAndAmount } from './recorded-charge.ts'
import { amountAtBank, hasRefundLine, isReversed, sortedByEnd, timeSpanOf } from './recorded-charge.ts'
import type { BankDay } from './statement.ts'
import { positionInDay } from './statement.ts'
import type { StatementLine } from './statement-lines.ts'

/** An approval that a statement confirms, or shows with a different amount. */
export interface LineEvidence {
  /** Id of the attempt or the modification. */
  id: number
  isSame: boolean
  bankAmountMinor: number
}

/** Compares the refunds of a charge with its refund lines. Only mismatches are returned as breaks. */
export function compareRefunds(
  charge: RecordedCharge,
  lines: readonly StatementLine[],
  day: BankDay,
  chargeLine: StatementLine | undefined,
): { breaks: ReconciliationBreak[]; evidence: LineEvidence[] } {
  const { pairs, linesLeft, modificationsLeft } = paired(charge, lines, day)
  const compared = pairs.map((pair) => ({
    ...pair,
    breaks: comparePair(charge, pair.line, pair.modification, day),
  }))
  return {
    breaks: [
      ...compared.flatMap(({ breaks }) => breaks),
      ...unrequestedRefunds(charge, linesLeft, chargeLine),
      ...modificationsLeft.flatMap((modification) => missingRefund(charge, modification, day)),
    ],
    evidence: compared.flatMap(({ line, modification, breaks }) =>
      evidenceOfPair(charge, line, modification, breaks),
    ),
  }
}

/**
 * Refund name that was sent to the bank. A surplus refund has no refund record and is named by its
 * modification.
 */
function nameOf({ id, refundId }: RecordedModification): number {
  return refundId ?? id
}

/** A line is evidence for a refund if it has our name of the refund or its amount. */
function evidenceOfPair(
  { currency }: RecordedCharge,
  { refundId, amountMinor: bankAmountMinor, ...line }: StatementLine,
  modification: RecordedModification,
  breaks: readonly ReconciliationBreak[],
): LineEvidence[] {
  const isOther = breaks.some(({ kind }) => kind === 'amount')
  if (breaks.some(({ kind }) => kind === 'state') || line.currency !== currency) return []
  if (isOther && refundId !== nameOf(modification)) return []
  return [{ id: modification.id, isSame: !isOther, bankAmountMinor }]
}

interface Pair {
  line: StatementLine
  modification: RecordedModification
}

/** One rule that pairs a line with a refund. */
interface MatchRule {
  isCandidate(modification: RecordedModification): boolean
  fits(line: StatementLine, modification: RecordedModification): boolean
}

/**
 * Pairs lines with refunds:
 * 1. by our name of the refund, on any day
 * 2. by the amount; refunds that must be on this statement come first
 * 3. the remaining ones, in order
 *
 * A line without our name can only be a refund of the same day: an equal amount on another day is another
 * refund.
 */
function paired(
  { currency, modifications }: RecordedCharge,
  lines: readonly StatementLine[],
  day: BankDay,
): { pairs: Pair[]; linesLeft: StatementLine[]; modificationsLeft: RecordedModification[] } {
  const positionOf = ({ beganAt, endedAt }: RecordedModification) =>
    positionInDay(day, timeSpanOf(beganAt, endedAt))
  const isDone = (modification: RecordedModification) =>
    modification.state === 'done' && hasRefundLine(modification)
  const isSure = (modification: RecordedModification) =>
    isDone(modification) && positionOf(modification) === 'inside'
  const isPossible = (modification: RecordedModification) =>
    isDone(modification) && positionOf(modification) === 'edge'
  const isOther = (modification: RecordedModification) =>
    !isDone(modification) && positionOf(modification) !== 'outside'
  const isCalled = (line: StatementLine, modification: RecordedModification) =>
    line.refundId === nameOf(modification)
  const isAlike = (line: StatementLine, modification: RecordedModification) =>
    isSameMoney({ amountMinor: amountAtBank(modification), currency }, line)
  const matchRules: MatchRule[] = [
    { isCandidate: () => true, fits: isCalled },
    { isCandidate: isSure, fits: isAlike },
    { isCandidate: isPossible, fits: isAlike },
    { isCandidate: isOther, fits: isAlike },
    { isCandidate: isSure, fits: () => true },
    { isCandidate: isPossible, fits: () => true },
  ]
  const refunds = sortedByEnd(modifications.filter(({ kind }) => kind === 'refund'))
  // If a refund has several modifications, the completed one comes first.
  const modificationsLeft = new Set([...refunds.filter(isDone), ...refunds])
  const linesLeft = new Set(lines)
  const pairs: Pair[] = []
  for (const { isCandidate, fits } of matchRules) {
    for (const line of linesLeft) {
      const modification = [...modificationsLeft].find((each) => isCandidate(each) && fits(line, each))
      if (!modification) continue
      pairs.push({ line, modification })
      linesLeft.delete(line)
      modificationsLeft.delete(modification)
    }
  }
  return { pairs, linesLeft: [...linesLeft], modificationsLeft: [...modificationsLeft] }
}

function comparePair(
  charge: RecordedCharge,
  line: StatementLine,
  modification: RecordedModification,
  day: BankDay,
): ReconciliationBreak[] {
  const { state } = modification
  const ours: StateAndAmount = { state, amountMinor: amountAtBank(modification), currency: charge.currency }
  if (state === 'doing')
    return [
      mismatchBreak('state', charge, line, {
        ours,
        modification,
        note: 'not known yet: the refund is in progress',
      }),
    ]
  if (state === 'refused')
    return [mismatchBreak('state', charge, line, { ours, modification, note: 'the bank refused it' })]
  if (!hasRefundLine(modification)) {
    const note = 'in our records the charge was voided instead'
    return [mismatchBreak('state', charge, line, { ours: { ...ours, state: 'undone' }, modification, note })]
  }
  if (!isSameMoney(ours, line))
    return [mismatchBreak('amount', charge, line, { ours, modification, note: null })]
  if (positionInDay(day, timeSpanOf(modification.beganAt, modification.endedAt)) !== 'outside') return []
  return [
    mismatchBreak('other_day', charge, line, {
      ours,
      modification,
      note: 'in our records it was done on another day',
    }),
  ]
}

/**
 * Refund lines without a refund of ours. A reversed charge may have one full refund: a charge that can no
 * longer be voided is reversed by a refund.
 */
function unrequestedRefunds(
  charge: RecordedCharge,
  lines: readonly StatementLine[],
  chargeLine: StatementLine | undefined,
): ReconciliationBreak[] {
  const undoing = isReversed(charge)
    ? lines.find((line) => isFullRefund(charge, line, chargeLine))
    : undefined
  return lines
    .filter((line) => line !== undoing)
    .map((line) => theirsOnlyBreak(line, 'not one of our refunds', charge))
}

function missingRefund(
  charge: RecordedCharge,
  modification: RecordedModification,
  day: BankDay,
): ReconciliationBreak[] {
  if (modification.state !== 'done' || !hasRefundLine(modification)) return []
  const position = positionInDay(day, timeSpanOf(modification.beganAt, modification.endedAt))
  if (position === 'outside') return []
  const { refundId } = modification
  const ours: StateAndAmount = {
    state: 'done',
    amountMinor: amountAtBank(modification),
    currency: charge.currency,
  }
  const kind = position === 'inside' ? 'ours_only' : 'near_edge'
  return [oursOnlyBreak(kind, charge, { subject: 'refund', refundId, ours })]
}
