import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { compareCharge, compareUnknownReference } from './compare.ts'
import type { BreakOrRemarkKind, ReconciliationBreak } from './reconciliation-break.ts'
import type { RecordedCharge, RecordedModification } from './recorded-charge.ts'
import { bankDay } from './statement.ts'
import type { StatementLine } from './statement-lines.ts'

/** Cases are read from the documentation page, so that page and code cannot disagree. */
const page = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'operate', 'reconciliation.md'),
  'utf8',
)

const day = bankDay('2026-11-15')
const at = (time: string) => new Date(`2026-11-${time}+03:00`)
const noon = '15T12:00:00'
const evening = '15T18:00:00'
const beforeMidnight = '15T23:58:00'
const afterMidnight = '16T00:02:00'
const dayBefore = '14T12:00:00'
const dayAfter = '16T12:00:00'

const reference = '10000000000042ABCDEF'

function attempt(
  state: RecordedCharge['state'],
  time: string,
  more: Partial<RecordedCharge> = {},
): RecordedCharge {
  return {
    ...{ merchantId: 10_000_000_000_001, paymentId: 10_000_000_000_041, attemptId: 10_000_000_000_042 },
    ...{ reference, posId: 10_000_000_000_007, state, preAuth: false, currency: 'TRY', chargedMinor: 10_000 },
    ...{ bankChargedMinor: null, bankHeldMinor: null, unverified: [] },
    ...{ askedAt: at(time), endedAt: at(time), modifications: [], ...more },
  }
}

let ids = 10_000_000_000_100

function modification(
  kind: RecordedModification['kind'],
  operation: RecordedModification['operation'],
  time: string,
  more: Partial<RecordedModification> = {},
): RecordedModification {
  ids += 1
  return {
    ...{ id: ids, kind, operation, refundId: kind === 'refund' ? ids : null, amountMinor: 10_000 },
    ...{ bankAmountMinor: null, state: 'done', beganAt: at(time), endedAt: at(time), ...more },
  }
}

const sale = (time = noon, ...modifications: RecordedModification[]) =>
  attempt('approved', time, { modifications })
const hold = (time = noon, ...modifications: RecordedModification[]) =>
  attempt('approved', time, { preAuth: true, modifications })
const doing = { state: 'doing', endedAt: null } as const
const refused = { state: 'refused' } as const
const voided = (time: string, more: Partial<RecordedModification> = {}) =>
  modification('refund', 'void', time, more)
const captured = (time: string, more: Partial<RecordedModification> = {}) =>
  modification('capture', 'capture', time, more)
const inPart = (time: string) => captured(time, { amountMinor: 8_000 })
const released = (time: string, more: Partial<RecordedModification> = {}) =>
  modification('release', 'void', time, more)
const refunded = (time: string, amountMinor = 1_000, more: Partial<RecordedModification> = {}) =>
  modification('refund', 'refund', time, { amountMinor, ...more })

const recordedCharges: Record<string, () => RecordedCharge> = {
  'a sale': () => sale(),
  'a sale whose amount differs': () => attempt('approved', noon, { bankChargedMinor: 9_999 }),
  'a hold whose amount differs': () => attempt('approved', noon, { preAuth: true, bankHeldMinor: 9_999 }),
  'a sale just before midnight': () => sale(beforeMidnight),
  'a sale just after midnight': () => sale(afterMidnight),
  'a sale whose outcome became known on the next day': () =>
    attempt('approved', noon, { endedAt: at(dayAfter) }),
  'a sale of the day before': () => sale(dayBefore),
  'a sale, voided': () => sale(noon, voided(evening)),
  'a sale, voided just after midnight': () => sale(noon, voided(afterMidnight)),
  'a sale, voided on the next day': () => sale(noon, voided(dayAfter)),
  'a sale of the day before, voided': () => sale(dayBefore, voided(noon)),
  'a sale, being voided': () => sale(noon, voided(evening, doing)),
  'a sale, being refunded': () => sale(noon, refunded(evening, 1_000, doing)),
  'a hold': () => hold(),
  'a hold, captured in part': () => hold(noon, inPart(evening)),
  'a hold, captured on the next day': () => hold(noon, captured(dayAfter)),
  'a hold of the day before, captured in part': () => hold(dayBefore, inPart(noon)),
  'a hold, being captured': () => hold(noon, captured(evening, doing)),
  'a hold whose capture was refused': () => hold(noon, captured(evening, refused)),
  'a hold, released': () => hold(noon, released(evening)),
  'a hold, being released': () => hold(noon, released(evening, doing)),
  'requested, and not answered yet': () => attempt('authorizing', noon, { endedAt: null }),
  'being reversed': () => attempt('reversing', noon, { endedAt: null }),
  'reversed, because its outcome was unknown': () => attempt('reversed', noon, { endedAt: at(evening) }),
  'reversed on the next day, because its outcome was unknown': () =>
    attempt('reversed', noon, { endedAt: at(dayAfter) }),
  declined: () => attempt('declined', noon),
  abandoned: () => attempt('abandoned', noon),
  'authentication in progress': () => attempt('authenticating', noon, { endedAt: null }),
  'a refund': () => sale(noon, refunded(evening)),
  'a refund whose amount differs': () => sale(noon, refunded(evening, 1_000, { bankAmountMinor: 999 })),
  'a refund just before midnight': () => sale(noon, refunded(beforeMidnight)),
  'a refund of the day before': () => sale(dayBefore, refunded(dayBefore)),
  'two refunds': () => sale(noon, refunded(evening), refunded(evening, 2_000)),
  'two refunds of the same amount': () => sale(noon, refunded(evening), refunded(evening)),
  'two refunds, one of them the day before': () => sale(dayBefore, refunded(dayBefore), refunded(evening)),
  'a refund in progress': () => sale(noon, refunded(evening, 1_000, doing)),
  'a refund that was refused': () => sale(noon, refunded(evening, 1_000, refused)),
  'a refund, first refused, then done': () =>
    sale(noon, refunded(noon, 1_000, { ...refused, refundId: 7 }), refunded(evening, 1_000, { refundId: 7 })),
  'a refund by a void': () => sale(noon, voided(evening, { amountMinor: 10_000 })),
  'no refund': () => sale(),
}

let lineNumber = 1

function line(subject: StatementLine['subject'], more: Partial<StatementLine> = {}): StatementLine {
  lineNumber += 1
  const state = subject === 'charge' ? 'taken' : 'done'
  return {
    ...{ line: lineNumber, terminal: 'T1', reference, subject, refundId: null, mark: lineNumber },
    ...{ amountMinor: subject === 'charge' ? 10_000 : 1_000, currency: 'TRY', state, ...more },
  }
}

const charge = (state: StatementLine['state'], amountMinor = 10_000) => line('charge', { state, amountMinor })
const refund = (more: Partial<StatementLine> = {}) => line('refund', more)

const chargeLines: Record<string, () => StatementLine[]> = {
  taken: () => [charge('taken')],
  'taken, another amount': () => [charge('taken', 9_999)],
  'taken, another currency': () => [line('charge', { currency: 'USD' })],
  'taken, the captured amount': () => [charge('taken', 8_000)],
  'taken, twice': () => [charge('taken'), charge('taken')],
  'taken, and a full refund': () => [charge('taken'), refund({ amountMinor: 10_000 })],
  'taken, another amount, and a full refund': () => [charge('taken', 9_999), refund({ amountMinor: 9_999 })],
  'taken, another amount, and a refund of the requested amount': () => [
    charge('taken', 9_999),
    refund({ amountMinor: 10_000 }),
  ],
  'undone, another currency': () => [line('charge', { state: 'undone', currency: 'USD' })],
  'held, another amount': () => [charge('held', 9_999)],
  undone: () => [charge('undone')],
  'undone, another amount': () => [charge('undone', 9_999)],
  held: () => [charge('held')],
  'no line': () => [],
}

const byId = (ours: RecordedCharge) => ({ refundId: ours.modifications.at(-1)?.refundId ?? null })
const ofModification = (ours: RecordedCharge) => ({
  amountMinor: ours.modifications.at(-1)?.amountMinor ?? 1_000,
})
const twice = (one: StatementLine) => [one, { ...one, line: one.line + 1 }]

const refundLines: Record<string, (ours: RecordedCharge) => StatementLine[]> = {
  'done, by its id': (ours) => [refund({ ...byId(ours), ...ofModification(ours) })],
  'done, by another name': (ours) => [refund(ofModification(ours))],
  'done, by its id, another amount': (ours) => [refund({ ...byId(ours), amountMinor: 999 })],
  'done, by another name, another amount': () => [refund({ amountMinor: 999 })],
  'done, by its id, twice': (ours) => twice(refund(byId(ours))),
  'done, by another name, twice': () => twice(refund()),
  'both done, by other names, in another order': () => [refund({ amountMinor: 2_000 }), refund()],
  'one done, by another name': () => [refund({ amountMinor: 2_000 })],
  'both done, by the same other name': () => [refund(), refund()],
  'undone, and no refund': () => [],
  'no refund': () => [],
}

const words: Record<BreakOrRemarkKind, string> = {
  ours_only: 'ours only',
  theirs_only: 'theirs only',
  amount: 'amount',
  state: 'state',
  near_edge: 'near the edge',
  other_day: 'of another day',
}

function inWords(breaks: readonly ReconciliationBreak[], lines: readonly StatementLine[]): string {
  const texts = breaks.map(({ kind, subject, note }) => {
    const word = breaks.length > 1 ? `${words[kind]} (${subject})` : words[kind]
    return note?.startsWith('not known yet') ? `${word}, not known yet` : word
  })
  return texts.join(' and ') || (lines.length > 0 ? 'matched' : 'no finding')
}

function casesOf(title: string): [book: string, statement: string, outcome: string][] {
  const section = page.split(/^### /m).find((each) => each.startsWith(title)) ?? ''
  const rows = section.split('\n').filter((row) => /^\| [a-z]/.test(row))
  return rows.map((row) => {
    const [, book = '', statement = '', outcome = ''] = row.split('|').map((cell) => cell.trim())
    return [book, statement, outcome]
  })
}

describe('every documented case of a charge has the documented result', () => {
  for (const [book, statement, outcome] of casesOf('Charges')) {
    it(`${book}; ${statement}`, () => {
      const lines = chargeLines[statement]?.()
      assert.ok(lines, 'the statement row is unknown')
      if (book === 'no attempt with this reference') {
        assert.equal(inWords(compareUnknownReference(lines), lines), outcome)
        return
      }
      const ours = recordedCharges[book]?.()
      assert.ok(ours, 'the row of our records is unknown')
      const { matched, breaks } = compareCharge(ours, lines, day)
      assert.equal(inWords(breaks, lines), outcome)
      assert.equal(matched, lines.length - inBreaks(breaks))
    })
  }
})

describe('every documented case of a refund has the documented result', () => {
  for (const [book, statement, outcome] of casesOf('Refunds')) {
    it(`${book}; ${statement}`, () => {
      const ours = recordedCharges[book]?.()
      const lines = ours && refundLines[statement]?.(ours)
      assert.ok(ours && lines, 'the case is unknown')
      // A statement lists a charge only on days on which its state changed; this line is always right.
      const isOld = ours.askedAt < at(noon)
      const state = statement.startsWith('undone') ? 'undone' : 'taken'
      const all = isOld ? lines : [charge(state), ...lines]
      const { matched, breaks } = compareCharge(ours, all, day)
      assert.equal(inWords(breaks, lines.length === 0 && state === 'taken' ? [] : all), outcome)
      assert.equal(matched, all.length - inBreaks(breaks))
    })
  }
})

it('every tested case is documented', () => {
  const documented = [...casesOf('Charges'), ...casesOf('Refunds')]
  assert.ok(documented.length > 80)
  for (const book of Object.keys(recordedCharges))
    assert.ok(
      documented.some(([each]) => each === book),
      book,
    )
  for (const lines of [...Object.keys(chargeLines), ...Object.keys(refundLines)])
    assert.ok(
      documented.some(([, each]) => each === lines),
      lines,
    )
})

function inBreaks(breaks: readonly ReconciliationBreak[]): number {
  return breaks.filter(({ kind }) => ['theirs_only', 'amount', 'state'].includes(kind)).length
}

it('a break has the details of both sides', () => {
  const ours = recordedCharges['a refund']?.() ?? sale()
  const [entry] = compareCharge(ours, [charge('taken'), refund({ amountMinor: 999 })], day).breaks
  assert.deepEqual(entry, {
    kind: 'amount',
    subject: 'refund',
    reference,
    paymentId: ours.paymentId,
    posId: ours.posId,
    refundId: ours.modifications[0]?.refundId,
    ours: { state: 'done', amountMinor: 1_000, currency: 'TRY' },
    theirs: { state: 'done', amountMinor: 999, currency: 'TRY' },
    line: lineNumber,
    terminal: 'T1',
    note: null,
  })
})

describe('an unverified approval', () => {
  const approvals = (ours: RecordedCharge, ...lines: StatementLine[]) => {
    const ids = [ours.attemptId, ...ours.modifications.map(({ id }) => id)]
    const { verified, differing } = compareCharge({ ...ours, unverified: ids }, lines, day)
    const name = (id: number) => ['charge', ...ours.modifications.map(({ kind }) => kind)][ids.indexOf(id)]
    return [
      ...verified.map((id) => `${name(id)} same`),
      ...differing.map(({ id, bankAmountMinor }) => `${name(id)} ${bankAmountMinor}`),
    ]
  }

  it('is verified by a line with the same amount, and differs by a line with another amount', () => {
    assert.deepEqual(approvals(sale(), charge('taken')), ['charge same'])
    assert.deepEqual(approvals(sale(), charge('taken', 9_999)), ['charge 9999'])
    assert.deepEqual(approvals(hold(), charge('held', 9_999)), ['charge 9999'])
    const captures = hold(noon, inPart(evening))
    assert.deepEqual(approvals(captures, charge('taken', 8_000)), ['charge same', 'capture same'])
    assert.deepEqual(approvals(captures, charge('taken', 7_000)), ['capture 7000'])
  })

  it('is verified together with its void or release by an undone line', () => {
    assert.deepEqual(approvals(sale(noon, voided(evening)), charge('undone')), ['charge same', 'refund same'])
    assert.deepEqual(approvals(hold(noon, released(evening)), charge('undone')), [
      'charge same',
      'release same',
    ])
  })

  it('of a refund differs only if the line names that refund', () => {
    const ours = sale(noon, refunded(evening))
    assert.deepEqual(approvals(ours, charge('taken'), refund(byId(ours))), ['charge same', 'refund same'])
    assert.deepEqual(approvals(ours, charge('taken'), refund()), ['charge same', 'refund same'])
    const other = { amountMinor: 999 }
    assert.deepEqual(approvals(ours, charge('taken'), refund({ ...byId(ours), ...other })), [
      'charge same',
      'refund 999',
    ])
    assert.deepEqual(approvals(ours, charge('taken'), refund(other)), ['charge same'])
  })

  it('is not verified by a line with another state or currency, or by a duplicated line', () => {
    assert.deepEqual(approvals(sale(), charge('held')), [])
    assert.deepEqual(approvals(sale(), charge('taken'), charge('taken')), [])
    assert.deepEqual(approvals(sale(), line('charge', { currency: 'USD' })), [])
    assert.deepEqual(approvals(attempt('reversed', noon), charge('undone', 9_999)), [])
  })

  it('is reported only if it is not verified yet', () => {
    const { verified, differing } = compareCharge(sale(), [charge('taken')], day)
    assert.deepEqual([verified, differing], [[], []])
  })
})
