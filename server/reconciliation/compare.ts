import type { LineEvidence } from './compare-refunds.ts'
import { compareRefunds } from './compare-refunds.ts'
import type { ReconciliationBreak } from './reconciliation-break.ts'
import { breakOf, isFullRefund, isSameMoney } from './reconciliation-break.ts'
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
  const isGivenBack = refundLines.some((refund) => isFullRefund(charge, refund, line))
  const ofCharge = line ? compareLine(charge, line, day, isGivenBack) : missingCharge(charge, day)
  const doubled = twice.map((double) => doubledBreak(double, charge))
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
  const differing = relevant.filter(({ isSame }) => !isSame)
  return {
    verified: relevant.filter(({ isSame }) => isSame).map(({ id }) => id),
    differing: differing.map(({ id, bankAmountMinor }) => ({ id, bankAmountMinor })),
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
    ...once.map((line) => breakOf('theirs_only', { line, note: 'none of our attempts has this reference' })),
    ...twice.map((line) => doubledBreak(line)),
  ]
}

function doubledBreak(line: StatementLine, charge?: RecordedCharge): ReconciliationBreak {
  return breakOf('theirs_only', { line, ...(charge && { charge }), note: 'twice on the statement' })
}

/**
 * Separates duplicated lines. A charge has one line a day, and so has a refund with our name; any other
 * refund is a duplicate only if the lines are identical.
 */
function withoutDoubles(lines: readonly StatementLine[]): Record<'once' | 'twice', StatementLine[]> {
  const byName = Map.groupBy(lines, ({ subject, refundId, amountMinor, currency, terminal, mark }) => {
    if (subject === 'charge') return 'charge'
    return refundId === null ? `${amountMinor} ${currency} ${mark} ${terminal}` : `refund ${refundId}`
  })
  const once = new Set([...byName.values()].flatMap((same) => same.slice(0, 1)))
  return { once: [...once], twice: lines.filter((line) => !once.has(line)) }
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
  if (!first) return [breakOf('state', { charge, line, ours, note })]
  // For a reversed charge only the state matters, not the amount.
  const isGone = isReversed(charge) && line.currency === charge.currency
  if (!isGone && !alike.some((accepted) => isSameMoney(accepted, line)))
    return [breakOf('amount', { charge, line, ours: alike.at(-1) ?? first })]
  if (isOfTheDay(charge, day)) return []
  return [
    breakOf('other_day', { charge, line, ours, note: 'in our records nothing was done to it on this day' }),
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
  if (!positions.includes('inside') && !positions.includes('edge')) return []
  const kind = positions.includes('inside') ? 'ours_only' : 'near_edge'
  return [breakOf(kind, { charge, ours: expectationOf(charge, day, false).ours })]
}
