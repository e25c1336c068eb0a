import type { Charge, Deed, Standing } from './charge.ts'
import { amountAtBank, inTime, isRefundLine, isReversed, stretchOf } from './charge.ts'
import type { Finding } from './finding.ts'
import { differing, isSameMoney, isWhole, missing, theirsOnly } from './finding.ts'
import type { BankDay, StatementLine } from './statement.ts'
import { placeIn } from './statement.ts'

/** An approval that stands on a statement, over the same amount or over another. */
export interface LineEvidence {
  /** The attempt or the deed. */
  id: number
  isSame: boolean
  bankAmountMinor: number
}

/** Compares the refunds of a charge with the lines about refunds of it. Of what agrees nothing is found. */
export function compareRefunds(
  charge: Charge,
  lines: readonly StatementLine[],
  day: BankDay,
  chargeLine: StatementLine | undefined,
): { findings: Finding[]; shown: LineEvidence[] } {
  const { pairs, linesLeft, deedsLeft } = paired(charge, lines, day)
  const compared = pairs.map((pair) => ({
    ...pair,
    findings: comparePair(charge, pair.line, pair.deed, day),
  }))
  return {
    findings: [
      ...compared.flatMap(({ findings }) => findings),
      ...unasked(charge, linesLeft, chargeLine),
      ...deedsLeft.flatMap((deed) => missingRefund(charge, deed, day)),
    ],
    shown: compared.flatMap(({ line, deed, findings }) => shownByPair(charge, line, deed, findings)),
  }
}

/** The name by which the bank was asked for it. A surplus that is given back is of no refund. */
function nameOf({ id, refundId }: Deed): number {
  return refundId ?? id
}

/** A line that the bank calls by our name of the refund, or that has its amount, shows it. */
function shownByPair(
  { currency }: Charge,
  { refundId, amountMinor: bankAmountMinor, ...line }: StatementLine,
  deed: Deed,
  findings: readonly Finding[],
): LineEvidence[] {
  const isOther = findings.some(({ kind }) => kind === 'amount')
  if (findings.some(({ kind }) => kind === 'state') || line.currency !== currency) return []
  if (isOther && refundId !== nameOf(deed)) return []
  return [{ id: deed.id, isSame: !isOther, bankAmountMinor }]
}

interface Pair {
  line: StatementLine
  deed: Deed
}

/** One way to tell which refund of ours a line means. */
interface Round {
  isCandidate(deed: Deed): boolean
  fits(line: StatementLine, deed: Deed): boolean
}

/**
 * Which line is which refund: first by the name that we gave it, whatever the day; then by the amount, those first that
 * must be on this statement; then what is left, in order. A bank that does not know our name of a refund is believed to
 * mean one of the same day alone: the same amount once more on another day is another refund.
 */
function paired(
  { currency, deeds }: Charge,
  lines: readonly StatementLine[],
  day: BankDay,
): { pairs: Pair[]; linesLeft: StatementLine[]; deedsLeft: Deed[] } {
  const place = ({ beganAt, endedAt }: Deed) => placeIn(day, stretchOf(beganAt, endedAt))
  const isDone = (deed: Deed) => deed.state === 'done' && isRefundLine(deed)
  const isSure = (deed: Deed) => isDone(deed) && place(deed) === 'inside'
  const isPossible = (deed: Deed) => isDone(deed) && place(deed) === 'edge'
  const isOther = (deed: Deed) => !isDone(deed) && place(deed) !== 'outside'
  const isCalled = (line: StatementLine, deed: Deed) => line.refundId === nameOf(deed)
  const isAlike = (line: StatementLine, deed: Deed) =>
    isSameMoney({ amountMinor: amountAtBank(deed), currency }, line)
  const rounds: Round[] = [
    { isCandidate: () => true, fits: isCalled },
    { isCandidate: isSure, fits: isAlike },
    { isCandidate: isPossible, fits: isAlike },
    { isCandidate: isOther, fits: isAlike },
    { isCandidate: isSure, fits: () => true },
    { isCandidate: isPossible, fits: () => true },
  ]
  const refunds = inTime(deeds.filter(({ kind }) => kind === 'refund'))
  // Of several deeds of one refund the one that was done is meant.
  const deedsLeft = new Set([...refunds.filter(isDone), ...refunds])
  const linesLeft = new Set(lines)
  const pairs: Pair[] = []
  for (const { isCandidate, fits } of rounds) {
    for (const line of linesLeft) {
      const deed = [...deedsLeft].find((each) => isCandidate(each) && fits(line, each))
      if (!deed) continue
      pairs.push({ line, deed })
      linesLeft.delete(line)
      deedsLeft.delete(deed)
    }
  }
  return { pairs, linesLeft: [...linesLeft], deedsLeft: [...deedsLeft] }
}

function comparePair(charge: Charge, line: StatementLine, deed: Deed, day: BankDay): Finding[] {
  const { state } = deed
  const ours: Standing = { state, amountMinor: amountAtBank(deed), currency: charge.currency }
  if (state === 'doing')
    return [differing('state', charge, line, { ours, deed, note: 'not known yet: the refund is under way' })]
  if (state === 'refused')
    return [differing('state', charge, line, { ours, deed, note: 'the bank refused it' })]
  if (!isRefundLine(deed)) {
    const note = 'by our book the charge was voided instead'
    return [differing('state', charge, line, { ours: { ...ours, state: 'undone' }, deed, note })]
  }
  if (!isSameMoney(ours, line)) return [differing('amount', charge, line, { ours, deed, note: null })]
  if (placeIn(day, stretchOf(deed.beganAt, deed.endedAt)) !== 'outside') return []
  return [
    differing('other_day', charge, line, { ours, deed, note: 'by our book it was done on another day' }),
  ]
}

/** Of a charge that we had undone, one refund of all of it is how that was done where it could not be voided any more. */
function unasked(
  charge: Charge,
  lines: readonly StatementLine[],
  chargeLine: StatementLine | undefined,
): Finding[] {
  const undoing = isReversed(charge) ? lines.find((line) => isWhole(charge, line, chargeLine)) : undefined
  return lines
    .filter((line) => line !== undoing)
    .map((line) => theirsOnly(line, 'no refund of ours is this one', charge))
}

function missingRefund(charge: Charge, deed: Deed, day: BankDay): Finding[] {
  if (deed.state !== 'done' || !isRefundLine(deed)) return []
  const place = placeIn(day, stretchOf(deed.beganAt, deed.endedAt))
  if (place === 'outside') return []
  const { refundId } = deed
  const ours: Standing = { state: 'done', amountMinor: amountAtBank(deed), currency: charge.currency }
  const kind = place === 'inside' ? 'ours_only' : 'near_edge'
  return [missing(kind, charge, { subject: 'refund', refundId, ours })]
}
