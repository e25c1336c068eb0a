import { decimalText } from '../kit/money.ts'
import { quotable } from '../kit/quotable.ts'
import { table } from '../kit/table.ts'
import type { OwnedId } from '../payments/index.ts'
import type { Charge, Standing } from './charge.ts'
import type { Comparison } from './compare.ts'
import type { Finding, FindingKind } from './finding.ts'
import { breakKinds, remarkKinds } from './finding.ts'
import { isReference } from './statement-lines.ts'
import type { CoveredPos } from './store.ts'

/** How many findings of a kind are told one by one; all are counted. */
export const toldAtMost = 10_000

/** What came of comparing a statement with our book. */
export class Report {
  readonly day: string
  lines = 0
  matched = 0
  readonly #counts = new Map<FindingKind, number>()
  readonly #told = new Map<FindingKind, Finding[]>()
  /** Unverified approvals that stand on the statement as we have them, by the merchant. */
  readonly verified = new Map<number, number[]>()
  /** Unverified approvals that stand there over another amount. */
  readonly differing: (OwnedId & { bankAmountMinor: number })[] = []
  /** The numbers of both that were written down. */
  readonly approvals = { verified: 0, differing: 0 }
  /** Those whose charges must all be on the statement, and those that it has charges of besides. */
  covered: CoveredPos[] = []
  others: CoveredPos[] = []

  constructor(day: string) {
    this.day = day
  }

  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      this.#counts.set(finding.kind, this.count(finding.kind) + 1)
      const told = this.told(finding.kind)
      if (told.length < toldAtMost) told.push(finding)
      this.#told.set(finding.kind, told)
    }
  }

  addVerified(
    { merchantId }: Charge,
    { verified, differing }: Pick<Comparison, 'verified' | 'differing'>,
  ): void {
    const ofMerchant = this.verified.get(merchantId) ?? []
    ofMerchant.push(...verified)
    this.verified.set(merchantId, ofMerchant)
    this.differing.push(...differing.map((each) => ({ merchantId, ...each })))
  }

  /** Those of a kind that nobody needs to be told of one by one any more. */
  addUntold(kind: FindingKind, count: number): void {
    this.#counts.set(kind, this.count(kind) + count)
  }

  count(kind: FindingKind): number {
    return this.#counts.get(kind) ?? 0
  }

  told(kind: FindingKind): Finding[] {
    return this.#told.get(kind) ?? []
  }

  get breaks(): number {
    return breakKinds.reduce((sum, kind) => sum + this.count(kind), 0)
  }
}

const titles: Readonly<Record<FindingKind, string>> = {
  ours_only: 'Ours only: in our book, and not on the statement',
  theirs_only: 'Theirs only: on the statement, and not in our book',
  amount: 'Amount: both have it, over different amounts',
  state: 'State: both have it, and it stands differently',
  near_edge: 'Near the day’s edge: look at the neighbouring statement. No breaks',
  other_day: 'Of another day by our book: look whether another statement has it too. No breaks',
}

/** The report for people: a line per finding, kind by kind, then the sums. */
export function describeReport(report: Report): string[] {
  const { covered, others } = report
  const names = namesOf(report)
  const posText = (list: readonly CoveredPos[]) =>
    list.map(({ id, name }) => `${id} ${shown(name)}`).join(', ')
  return [
    `Statement of ${report.day}, POS ${posText(covered)}`,
    ...(others.length > 0 ? [`It has charges of other POS too: ${posText(others)}`] : []),
    ...[...breakKinds, ...remarkKinds].flatMap((kind) => describeKind(report, kind, names)),
    '',
    ...describeSums(report),
  ]
}

/** What the POS are called, by their ids. */
function namesOf({ covered, others }: Report): ReadonlyMap<number, string> {
  return new Map([...covered, ...others].map(({ id, name }) => [id, shown(name)]))
}

function describeKind(report: Report, kind: FindingKind, names: ReadonlyMap<number, string>): string[] {
  const told = report.told(kind)
  const more = report.count(kind) - told.length
  if (report.count(kind) === 0) return []
  const rows = told.map((finding) => [
    finding.paymentId === null ? '-' : String(finding.paymentId),
    shownReference(finding.reference),
    finding.refundId === null ? finding.subject : `${finding.subject} ${finding.refundId}`,
    standingText(finding.ours),
    standingText(finding.theirs),
    finding.posId === null ? '-' : (names.get(finding.posId) ?? String(finding.posId)),
    finding.line === null ? '-' : `${finding.line}`,
    noteOf(finding),
  ])
  return [
    '',
    titles[kind],
    table(['PAYMENT', 'REFERENCE', 'WHAT', 'OURS', 'THEIRS', 'POS', 'LINE', 'NOTE'], rows),
    ...(more > 0 ? [`and ${more} more like these`] : []),
  ]
}

function noteOf({ note, terminal, paymentId }: Finding): string {
  const at = paymentId === null && terminal ? [`terminal ${shown(terminal)}`] : []
  return [...(note === null ? [] : [note]), ...at].join(', ')
}

function standingText(standing: Standing | null): string {
  return standing ? `${standing.state} ${decimalText(standing.amountMinor, '.')} ${standing.currency}` : '-'
}

function describeSums(report: Report): string[] {
  const sums: [string, number][] = [
    ['lines read', report.lines],
    ['matched', report.matched],
    ['ours only', report.count('ours_only')],
    ['theirs only', report.count('theirs_only')],
    ['amount', report.count('amount')],
    ['state', report.count('state')],
    ['near the edge', report.count('near_edge')],
    ['of another day', report.count('other_day')],
  ]
  const { verified, differing } = report.approvals
  const approvals = `Approvals: ${verified} verified by this statement, ${differing} found to differ.`
  return [
    ...sums.map(([name, count]) => `${name.padEnd(16)}${count}`),
    ...(verified + differing > 0 ? [approvals] : []),
  ]
}

/** The report for programs: an object per line, one for each finding, and the sums in the last one. */
export function reportLines(report: Report): string[] {
  const findings = [...breakKinds, ...remarkKinds].flatMap((kind) => report.told(kind))
  const { day, lines, matched, breaks } = report
  const counts = Object.fromEntries([...breakKinds, ...remarkKinds].map((kind) => [kind, report.count(kind)]))
  const pos = report.covered.map(({ id }) => id)
  const names = namesOf(report)
  return [
    ...findings.map((finding) => JSON.stringify(written(finding, names))),
    JSON.stringify({ day, pos, lines, matched, breaks, ...counts, approvals: report.approvals }),
  ]
}

function written(finding: Finding, names: ReadonlyMap<number, string>): object {
  const side = (standing: Standing | null) =>
    standing && {
      state: standing.state,
      amount: decimalText(standing.amountMinor, '.'),
      currency: standing.currency,
    }
  return {
    kind: finding.kind,
    type: finding.subject,
    payment_id: finding.paymentId,
    reference: shownReference(finding.reference),
    refund_id: finding.refundId,
    pos_id: finding.posId,
    pos_name: finding.posId === null ? null : (names.get(finding.posId) ?? null),
    ours: side(finding.ours),
    theirs: side(finding.theirs),
    line: finding.line,
    terminal: finding.terminal === null ? null : shown(finding.terminal),
    note: finding.note,
  }
}

/** One of ours has the digits of an id, which by chance may look like those of a card; but no card has twenty. */
function shownReference(reference: string): string {
  return isReference(reference) ? reference : shown(reference)
}

/** What others wrote: on one line, without what steers a terminal, and nothing that a spreadsheet would calculate. */
function shown(text: string): string {
  const plain = quotable(text)
  return /^[=+\-@]/.test(plain) ? `'${plain}` : plain
}
