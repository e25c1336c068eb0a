import type { Charge } from './charge.ts'
import { expectationOf, stepsOf, stretchOf } from './charge.ts'
import { compareRefunds } from './compare-refunds.ts'
import type { Finding } from './finding.ts'
import { differing, isSameMoney, isWhole, missing, theirsOnly } from './finding.ts'
import type { BankDay, StatementLine } from './statement.ts'
import { placeIn } from './statement.ts'

export interface Comparison {
  /** How many lines agree with our book. */
  matched: number
  findings: Finding[]
}

/**
 * Compares a charge of ours, and the refunds of it, with all lines of a statement that are about it; there may be none.
 * Guarantee: every line is matched or in one break, and so is everything of ours that must be on the statement of that
 * day. Pure.
 */
export function compareCharge(charge: Charge, lines: readonly StatementLine[], day: BankDay): Comparison {
  const { once, twice } = withoutDoubles(lines)
  const line = once.find(({ subject }) => subject === 'charge')
  const refundLines = once.filter(({ subject }) => subject === 'refund')
  const refunds = compareRefunds(charge, refundLines, day)
  const ofCharge = line
    ? compareLine(
        charge,
        line,
        day,
        refundLines.some((refund) => isWhole(charge, refund)),
      )
    : missingCharge(charge, day)
  const doubled = twice.map((double) => theirsOnly(double, 'twice on the statement', charge))
  const findings = [...ofCharge, ...refunds, ...doubled]
  const inBreaks = findings.filter((found) => found.kind !== 'other_day' && found.line !== null).length
  return { matched: lines.length - inBreaks, findings }
}

/** The lines of a reference that is none of ours. */
export function compareUnknown(lines: readonly StatementLine[]): Finding[] {
  const { once, twice } = withoutDoubles(lines)
  return [
    ...once.map((line) => theirsOnly(line, 'no attempt of ours has this reference')),
    ...twice.map((line) => theirsOnly(line, 'twice on the statement')),
  ]
}

/** A charge has one line a day, a refund of ours too; any other refund is there twice if its lines are the same. */
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

function compareLine(charge: Charge, line: StatementLine, day: BankDay, isGivenBack: boolean): Finding[] {
  const { standings, ours, note } = expectationOf(charge, day, isGivenBack)
  const alike = standings.filter(({ state }) => state === line.state)
  const [first] = alike
  if (!first) return [differing('state', charge, line, { ours, note })]
  if (!alike.some((standing) => isSameMoney(standing, line)))
    return [differing('amount', charge, line, { ours: alike.at(-1) ?? first, note: null })]
  if (isOfTheDay(charge, day)) return []
  return [
    differing('other_day', charge, line, { ours, note: 'by our book nothing was done to it on this day' }),
  ]
}

function isOfTheDay(charge: Charge, day: BankDay): boolean {
  const steps = charge.state === 'approved' ? stepsOf(charge) : [stretchOf(charge.askedAt, charge.endedAt)]
  return steps.some((step) => placeIn(day, step) !== 'outside')
}

/** A bank that never had a charge that we undid does not list it, and what is not known yet it need not have. */
function missingCharge(charge: Charge, day: BankDay): Finding[] {
  const places = stepsOf(charge).map((step) => placeIn(day, step))
  const kind = places.includes('inside') ? 'ours_only' : places.includes('edge') ? 'near_edge' : undefined
  if (!kind) return []
  return [missing(kind, charge, { subject: 'charge', ours: expectationOf(charge, day, false).ours })]
}
