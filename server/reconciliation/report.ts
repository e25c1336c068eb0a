import { recordTable } from '../../kit/command-line/text-table.ts'
import { decimalText } from '../../kit/money/money.ts'
import { safeExcerpt } from '../../kit/security/safe-excerpt.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { ChargeComparison } from './compare.ts'
import type { BreakOrRemarkKind, ReconciliationBreak } from './reconciliation-break.ts'
import { breakKinds, remarkKinds } from './reconciliation-break.ts'
import type { RecordedCharge, StateAndAmount } from './recorded-charge.ts'
import { isOurReference } from './statement-lines.ts'
import type { CoveredPos } from './store.ts'

/** Breaks or remarks of one kind that are listed one by one; all are counted. */
export const maxListed = 10_000

/** Result of the comparison of a statement with our records. */
export class ReconciliationReport {
  readonly day: string
  lines = 0
  matched = 0
  readonly #counts = new Map<BreakOrRemarkKind, number>()
  readonly #listed = new Map<BreakOrRemarkKind, ReconciliationBreak[]>()
  /** Unverified approvals that the statement confirms, by merchant. */
  readonly verified = new Map<number, number[]>()
  /** Unverified approvals that the statement shows with a different amount. */
  readonly differing: (OwnedId & { bankAmountMinor: number })[] = []
  /** Approvals that were recorded as verified and as differing. */
  readonly approvals = { verified: 0, differing: 0 }
  /** POS whose charges must all be on the statement; `others` are further POS with charges on it. */
  covered: CoveredPos[] = []
  others: CoveredPos[] = []

  constructor(day: string) {
    this.day = day
  }

  add(breaks: readonly ReconciliationBreak[]): void {
    for (const entry of breaks) {
      this.#counts.set(entry.kind, this.count(entry.kind) + 1)
      const listed = this.listed(entry.kind)
      if (listed.length < maxListed) listed.push(entry)
      this.#listed.set(entry.kind, listed)
    }
  }

  addVerified(
    { merchantId }: RecordedCharge,
    { verified, differing }: Pick<ChargeComparison, 'verified' | 'differing'>,
  ): void {
    const ofMerchant = this.verified.get(merchantId) ?? []
    ofMerchant.push(...verified)
    this.verified.set(merchantId, ofMerchant)
    this.differing.push(...differing.map((each) => ({ merchantId, ...each })))
  }

  /** Counts breaks or remarks without listing them. */
  addUnlisted(kind: BreakOrRemarkKind, count: number): void {
    this.#counts.set(kind, this.count(kind) + count)
  }

  count(kind: BreakOrRemarkKind): number {
    return this.#counts.get(kind) ?? 0
  }

  listed(kind: BreakOrRemarkKind): ReconciliationBreak[] {
    return this.#listed.get(kind) ?? []
  }

  get breaks(): number {
    return breakKinds.reduce((sum, kind) => sum + this.count(kind), 0)
  }
}

/** Title of the list of a kind, and its name beside the sum. */
const kindTexts: Readonly<Record<BreakOrRemarkKind, readonly [title: string, name: string]>> = {
  ours_only: ['Ours only: in our records, not on the statement', 'ours only'],
  theirs_only: ['Theirs only: on the statement, not in our records', 'theirs only'],
  amount: ['Amount: in both, with different amounts', 'amount'],
  state: ['State: in both, with different states', 'state'],
  near_edge: [
    'Near the day’s edge: check the statement of the neighbouring day. Not breaks',
    'near the edge',
  ],
  other_day: [
    'Of another day in our records: check whether another statement has it too. Not breaks',
    'of another day',
  ],
}

const allKinds = [...breakKinds, ...remarkKinds]

/** The report as text: one line per break or remark, grouped by kind, then the sums. */
export function reportTextLines(report: ReconciliationReport): string[] {
  const { covered, others } = report
  const names = namesOf(report)
  const posText = (list: readonly CoveredPos[]) =>
    list.map(({ id, name }) => `${id} ${shown(name)}`).join(', ')
  return [
    `Statement of ${report.day}, POS ${posText(covered)}`,
    ...(others.length > 0 ? [`The statement also has charges of other POS: ${posText(others)}`] : []),
    ...allKinds.flatMap((kind) => describeKind(report, kind, names)),
    '',
    ...describeSums(report),
  ]
}

/** Names of the POS by id. */
function namesOf({ covered, others }: ReconciliationReport): ReadonlyMap<number, string> {
  return new Map([...covered, ...others].map(({ id, name }) => [id, shown(name)]))
}

function describeKind(
  report: ReconciliationReport,
  kind: BreakOrRemarkKind,
  names: ReadonlyMap<number, string>,
): string[] {
  const listed = report.listed(kind)
  const more = report.count(kind) - listed.length
  if (report.count(kind) === 0) return []
  const table = recordTable(listed, {
    PAYMENT: ({ paymentId }) => paymentId ?? '-',
    REFERENCE: ({ reference }) => shownReference(reference),
    WHAT: ({ subject, refundId }) => (refundId === null ? subject : `${subject} ${refundId}`),
    OURS: ({ ours }) => stateText(ours),
    THEIRS: ({ theirs }) => stateText(theirs),
    POS: ({ posId }) => (posId === null ? '-' : (names.get(posId) ?? posId)),
    LINE: ({ line }) => line ?? '-',
    NOTE: noteOf,
  })
  return ['', kindTexts[kind][0], table, ...(more > 0 ? [`and ${more} more like these`] : [])]
}

function noteOf({ note, terminal, paymentId }: ReconciliationBreak): string {
  const at = paymentId === null && terminal ? [`terminal ${shown(terminal)}`] : []
  return [...(note === null ? [] : [note]), ...at].join(', ')
}

function stateText(state: StateAndAmount | null): string {
  return state ? `${state.state} ${decimalText(state.amountMinor, '.')} ${state.currency}` : '-'
}

function describeSums(report: ReconciliationReport): string[] {
  const sums: [string, number][] = [
    ['lines read', report.lines],
    ['matched', report.matched],
    ...allKinds.map((kind): [string, number] => [kindTexts[kind][1], report.count(kind)]),
  ]
  const { verified, differing } = report.approvals
  const approvals = `Approvals: ${verified} verified by this statement, ${differing} found to differ.`
  return [
    ...sums.map(([name, count]) => `${name.padEnd(16)}${count}`),
    ...(verified + differing > 0 ? [approvals] : []),
  ]
}

/** The report as JSON lines: one object per break or remark, and a last object with the sums. */
export function reportJsonLines(report: ReconciliationReport): string[] {
  const listed = allKinds.flatMap((kind) => report.listed(kind))
  const { day, lines, matched, breaks } = report
  const counts = Object.fromEntries(allKinds.map((kind) => [kind, report.count(kind)]))
  const pos = report.covered.map(({ id }) => id)
  const names = namesOf(report)
  return [
    ...listed.map((entry) => JSON.stringify(breakJson(entry, names))),
    JSON.stringify({ day, pos, lines, matched, breaks, ...counts, approvals: report.approvals }),
  ]
}

function breakJson(entry: ReconciliationBreak, names: ReadonlyMap<number, string>): object {
  const side = (state: StateAndAmount | null) =>
    state && {
      state: state.state,
      amount: decimalText(state.amountMinor, '.'),
      currency: state.currency,
    }
  return {
    kind: entry.kind,
    type: entry.subject,
    payment_id: entry.paymentId,
    reference: shownReference(entry.reference),
    refund_id: entry.refundId,
    pos_id: entry.posId,
    pos_name: entry.posId === null ? null : (names.get(entry.posId) ?? null),
    ours: side(entry.ours),
    theirs: side(entry.theirs),
    line: entry.line,
    terminal: entry.terminal === null ? null : shown(entry.terminal),
    note: entry.note,
  }
}

/**
 * Shows a reference of ours unmasked: its id can look like a card number, but no card number has 20
 * characters.
 */
function shownReference(reference: string): string {
  return isOurReference(reference) ? reference : shown(reference)
}

/** Makes foreign text safe: one line, no terminal control characters and no spreadsheet formula. */
function shown(text: string): string {
  const plain = safeExcerpt(text)
  return /^[=+\-@]/.test(plain) ? `'${plain}` : plain
}
