import type { BreakOrRemarkKind, ReconciliationBreak } from './reconciliation-break.ts'
import { breakOf, isFullRefund, isSameMoney } from './reconciliation-break.ts'
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

/** Certainty that the statement of a day has a line of a refund. */
type Likelihood = 'sure' | 'possible' | 'not done' | 'none'

function likelihoodOf(modification: RecordedModification, day: BankDay): Likelihood {
  const position = positionOf(modification, day)
  if (!isDoneRefund(modification)) return position === 'outside' ? 'none' : 'not done'
  return ({ inside: 'sure', edge: 'possible', outside: 'none' } as const)[position]
}

function positionOf({ beganAt, endedAt }: RecordedModification, day: BankDay) {
  return positionInDay(day, timeSpanOf(beganAt, endedAt))
}

function isDoneRefund(modification: RecordedModification): boolean {
  return modification.state === 'done' && hasRefundLine(modification)
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
  const isCalled = ({ line, modification }: Pair) => line.refundId === nameOf(modification)
  const isAlike = ({ line, modification }: Pair) =>
    isSameMoney({ amountMinor: amountAtBank(modification), currency }, line)
  const isAny = () => true
  const matchRules: { of?: Likelihood; fits(pair: Pair): boolean }[] = [
    { fits: isCalled },
    { of: 'sure', fits: isAlike },
    { of: 'possible', fits: isAlike },
    { of: 'not done', fits: isAlike },
    { of: 'sure', fits: isAny },
    { of: 'possible', fits: isAny },
  ]
  const refunds = sortedByEnd(modifications.filter(({ kind }) => kind === 'refund'))
  // If a refund has several modifications, the completed one comes first.
  const modificationsLeft = new Set([...refunds.filter(isDoneRefund), ...refunds])
  const linesLeft = new Set(lines)
  const pairs: Pair[] = []
  for (const { of, fits } of matchRules) {
    for (const line of linesLeft) {
      const modification = [...modificationsLeft].find(
        (each) => (of === undefined || of === likelihoodOf(each, day)) && fits({ line, modification: each }),
      )
      if (!modification) continue
      pairs.push({ line, modification })
      linesLeft.delete(line)
      modificationsLeft.delete(modification)
    }
  }
  return { pairs, linesLeft: [...linesLeft], modificationsLeft: [...modificationsLeft] }
}

function recordedRefund({ currency }: RecordedCharge, modification: RecordedModification): StateAndAmount {
  return { state: modification.state, amountMinor: amountAtBank(modification), currency }
}

function comparePair(
  charge: RecordedCharge,
  line: StatementLine,
  modification: RecordedModification,
  day: BankDay,
): ReconciliationBreak[] {
  const { state, refundId } = modification
  const ours = recordedRefund(charge, modification)
  const mismatch = (kind: BreakOrRemarkKind, note: string | null, ourState: string = state) => [
    breakOf(kind, { charge, line, ours: { ...ours, state: ourState }, refundId, note }),
  ]
  if (state === 'doing') return mismatch('state', 'not known yet: the refund is in progress')
  if (state === 'refused') return mismatch('state', 'the bank refused it')
  if (!hasRefundLine(modification))
    return mismatch('state', 'in our records the charge was voided instead', 'undone')
  if (!isSameMoney(ours, line)) return mismatch('amount', null)
  if (positionOf(modification, day) !== 'outside') return []
  return mismatch('other_day', 'in our records it was done on another day')
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
    .map((line) => breakOf('theirs_only', { charge, line, note: 'not one of our refunds' }))
}

function missingRefund(
  charge: RecordedCharge,
  modification: RecordedModification,
  day: BankDay,
): ReconciliationBreak[] {
  const likelihood = likelihoodOf(modification, day)
  if (likelihood !== 'sure' && likelihood !== 'possible') return []
  const kind = likelihood === 'sure' ? 'ours_only' : 'near_edge'
  const ours = recordedRefund(charge, modification)
  return [breakOf(kind, { charge, subject: 'refund', refundId: modification.refundId, ours })]
}
