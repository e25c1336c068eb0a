import type { LineEvidence } from './compare-refunds.ts'
import { compareRefunds } from './compare-refunds.ts'
import type { ReconciliationBreak } from './reconciliation-break.ts'
import {
  isFullRefund,
  isSameMoney,
  mismatchBreak,
  oursOnlyBreak,
  theirsOnlyBreak,
} from './reconciliation-break.ts'
import type { RecordedCharge } from './recorded-charge.ts'
import { expectationOf, hasRefundLine, isReversed, stateChangesOf, timeSpanOf } from './recorded-charge.ts'
import type { BankDay } from './statement.ts'
import { positionInDay } from './statement.ts'
import type { StatementLine } from './statement-lines.ts'

export interface ChargeComparison {
  /** Lines that agree with our records. */
  matched: number
  breaks: ReconciliationBreak[]
  /** Unverified approvals that the statement confirms. */
  verified: number[]
  /** Unverified approvals that the statement shows with a different amount. */
  differing: { id: number; bankAmountMinor: number }[]
}

/**
 * Compares a charge of ours and its refunds with its statement lines, if any. Guarantee: every line is
 * matched or in one break, and so is each of our charges and refunds that must be on that day's statement.
 * Pure.
 */
export function compareCharge(
  charge: RecordedCharge,
  lines: readonly StatementLine[],
  day: BankDay,
): ChargeComparison {
  const { once, twice } = withoutDoubles(lines)
  const line = once.find(({ subject }) => subject === 'charge')
  const refundLines = once.filter(({ subject }) => subject === 'refund')
  const refunds = compareRefunds(charge, refundLines, day, line)
  const ofCharge = line
    ? compareLine(
        charge,
        line,
        day,
        refundLines.some((refund) => isFullRefund(charge, refund, line)),
      )
    : missingCharge(charge, day)
  const doubled = twice.map((double) => theirsOnlyBreak(double, 'twice on the statement', charge))
  const breaks = [...ofCharge, ...refunds.breaks, ...doubled]
  const inBreaks = breaks.filter((each) => each.kind !== 'other_day' && each.line !== null).length
  const evidence =
    twice.length > 0 ? [] : [...(line ? evidenceOfLine(charge, line, ofCharge) : []), ...refunds.evidence]
  return { matched: lines.length - inBreaks, breaks, ...verifiedBy(charge, evidence) }
}

/** Splits the evidence for unverified approvals into confirmed and differing ones. */
function verifiedBy(
  { unverified }: RecordedCharge,
  evidence: readonly LineEvidence[],
): Pick<ChargeComparison, 'verified' | 'differing'> {
  const relevant = evidence.filter(({ id }) => unverified.includes(id))
  return {
    verified: relevant.filter(({ isSame }) => isSame).map(({ id }) => id),
    differing: relevant
      .filter(({ isSame }) => !isSame)
      .map(({ id, bankAmountMinor }) => ({ id, bankAmountMinor })),
  }
}

/**
 * Approvals that the line of a charge is evidence for. An undone line is evidence for all earlier approvals
 * too.
 */
function evidenceOfLine(
  charge: RecordedCharge,
  line: StatementLine,
  breaks: readonly ReconciliationBreak[],
): LineEvidence[] {
  const { attemptId, preAuth, modifications, state, currency } = charge
  const broken = breaks.find(({ kind }) => kind === 'state' || kind === 'amount')
  if (state !== 'approved' || broken?.kind === 'state' || line.currency !== currency) return []
  const { amountMinor: bankAmountMinor } = line
  const done = modifications.filter((modification) => modification.state === 'done')
  const capture = done.find(({ kind }) => kind === 'capture')
  if (broken) {
    const id = line.state === 'taken' && preAuth ? capture?.id : attemptId
    return line.state === 'undone' || id === undefined ? [] : [{ id, isSame: false, bankAmountMinor }]
  }
  const others = line.state === 'undone' ? done.filter((modification) => !hasRefundLine(modification)) : []
  const ids = [
    attemptId,
    ...(line.state === 'held' || !capture ? [] : [capture.id]),
    ...others.map(({ id }) => id),
  ]
  return ids.map((id) => ({ id, isSame: true, bankAmountMinor }))
}

/** Breaks of lines whose reference is not in our records. */
export function compareUnknownReference(lines: readonly StatementLine[]): ReconciliationBreak[] {
  const { once, twice } = withoutDoubles(lines)
  return [
    ...once.map((line) => theirsOnlyBreak(line, 'none of our attempts has this reference')),
    ...twice.map((line) => theirsOnlyBreak(line, 'twice on the statement')),
  ]
}

/**
 * Separates duplicated lines. A charge has one line a day, and so has a refund with our name; any other
 * refund is a duplicate only if the lines are identical.
 */
function withoutDoubles(lines: readonly StatementLine[]): {
  once: StatementLine[]
  twice: StatementLine[]
} {
  const once = new Map<string, StatementLine>()
  const twice: StatementLine[] = []
  for (const line of lines) {
    const { subject, refundId, amountMinor, currency, terminal, mark } = line
    const name =
      subject === 'charge'
        ? 'charge'
        : refundId === null
          ? `${amountMinor} ${currency} ${mark} ${terminal}`
          : `refund ${refundId}`
    if (once.has(name)) twice.push(line)
    else once.set(name, line)
  }
  return { once: [...once.values()], twice }
}

function compareLine(
  charge: RecordedCharge,
  line: StatementLine,
  day: BankDay,
  isGivenBack: boolean,
): ReconciliationBreak[] {
  const { acceptedStates, ours, note } = expectationOf(charge, day, isGivenBack)
  const alike = acceptedStates.filter(({ state }) => state === line.state)
  const [first] = alike
  if (!first) return [mismatchBreak('state', charge, line, { ours, note })]
  // For a reversed charge only the state matters, not the amount.
  const isGone = isReversed(charge) && line.currency === charge.currency
  if (!isGone && !alike.some((accepted) => isSameMoney(accepted, line)))
    return [mismatchBreak('amount', charge, line, { ours: alike.at(-1) ?? first, note: null })]
  if (isOfTheDay(charge, day)) return []
  return [
    mismatchBreak('other_day', charge, line, {
      ours,
      note: 'in our records nothing was done to it on this day',
    }),
  ]
}

function isOfTheDay(charge: RecordedCharge, day: BankDay): boolean {
  const changes =
    charge.state === 'approved' ? stateChangesOf(charge) : [timeSpanOf(charge.askedAt, charge.endedAt)]
  return changes.some((change) => positionInDay(day, change) !== 'outside')
}

/**
 * Break of a charge without a line. A bank need not list a reversed charge that it never had, or a charge
 * with an unknown outcome.
 */
function missingCharge(charge: RecordedCharge, day: BankDay): ReconciliationBreak[] {
  const positions = stateChangesOf(charge).map((change) => positionInDay(day, change))
  const kind = positions.includes('inside')
    ? 'ours_only'
    : positions.includes('edge')
      ? 'near_edge'
      : undefined
  if (!kind) return []
  return [oursOnlyBreak(kind, charge, { subject: 'charge', ours: expectationOf(charge, day, false).ours })]
}
