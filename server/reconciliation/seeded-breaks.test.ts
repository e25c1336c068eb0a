import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import { compareCharge } from './compare.ts'
import { breakKinds } from './reconciliation-break.ts'
import type { RecordedCharge, RecordedModification } from './recorded-charge.ts'
import { bankDay } from './statement.ts'
import type { StatementLine } from './statement-lines.ts'

const day = bankDay('2026-11-15')
const minuteMs = 60_000
const dayMinutes = 24 * 60
const reference = '10000000000042ABCDEF'
const chargedMinor = 10_000

/**
 * A bank action in minutes of the day, with the distance of our clock, our request and our knowledge from it.
 */
interface BankAction {
  minute: number
  skew: number
  requestedBefore: number
  knownAfter: number
}

/** History of a charge at the bank, with refunds for which the bank may know our name. */
interface Life {
  kind: 'sale' | 'voided' | 'hold' | 'captured' | 'released'
  actions: BankAction[]
  refunds: { amountMinor: number; isKnown: boolean }[]
}

/** Histories in the order of time; actions may be within minutes of midnight but not closer than `away`. */
function lives(away: number): fc.Arbitrary<Life> {
  const isAway = (minute: number) =>
    [-dayMinutes, 0, dayMinutes, 2 * dayMinutes].every((midnight) => Math.abs(minute - midnight) >= away)
  const around = fc.tuple(fc.constantFrom(0, dayMinutes), fc.integer({ min: -6, max: 6 }))
  const minutes = fc
    .oneof(
      fc.integer({ min: -dayMinutes, max: 2 * dayMinutes }),
      around.map(([midnight, off]) => midnight + off),
    )
    .filter(isAway)
  const action = fc.record({
    minute: minutes,
    skew: fc.integer({ min: -2, max: 2 }),
    requestedBefore: fc.integer({ min: 0, max: 2 }),
    knownAfter: fc.integer({ min: 0, max: 2 }),
  })
  return fc.record({
    kind: fc.constantFrom('sale', 'voided', 'hold', 'captured', 'released'),
    actions: fc
      .array(action, { minLength: 5, maxLength: 5 })
      .map((list) => list.toSorted((a, b) => a.minute - b.minute)),
    refunds: fc.array(fc.record({ amountMinor: fc.constantFrom(1_000, 2_000), isKnown: fc.boolean() }), {
      maxLength: 3,
    }),
  })
}

const stretch = ({ minute, skew, requestedBefore, knownAfter }: BankAction) => ({
  from: new Date(day.startMs + (minute + skew - requestedBefore) * minuteMs),
  to: new Date(day.startMs + (minute + skew + knownAfter) * minuteMs),
})

const isTaken = ({ kind }: Life) => kind === 'sale' || kind === 'captured'

/** Our records of such a history. */
function bookOf(life: Life): RecordedCharge {
  const [first, second, ...later] = life.actions
  assert.ok(first && second)
  const ends = { voided: 'refund', captured: 'capture', released: 'release' } as const
  const modificationAt = (
    action: BankAction,
    modification: Pick<RecordedModification, 'id' | 'kind' | 'operation' | 'amountMinor'>,
  ): RecordedModification => {
    const { from: beganAt, to: endedAt } = stretch(action)
    return {
      ...modification,
      refundId: modification.kind === 'refund' ? modification.id + 100 : null,
      bankAmountMinor: null,
      state: 'done',
      beganAt,
      endedAt,
    }
  }
  const modifications: RecordedModification[] = []
  if (life.kind !== 'sale' && life.kind !== 'hold') {
    const kind = ends[life.kind]
    const amountMinor = kind === 'capture' ? 8_000 : chargedMinor
    modifications.push(
      modificationAt(second, {
        id: 1,
        kind,
        operation: kind === 'capture' ? 'capture' : 'void',
        amountMinor,
      }),
    )
  }
  for (const [index, { amountMinor }] of (isTaken(life) ? life.refunds : []).entries()) {
    const action = later[index] ?? second
    modifications.push(
      modificationAt(action, { id: 10 + index, kind: 'refund', operation: 'refund', amountMinor }),
    )
  }
  const { from: askedAt, to: endedAt } = stretch(first)
  const preAuth = ['hold', 'captured', 'released'].includes(life.kind)
  return {
    ...{ merchantId: 1, paymentId: 2, attemptId: 10_000_000_000_042, reference, posId: 3, state: 'approved' },
    ...{
      preAuth,
      currency: 'TRY',
      chargedMinor,
      bankChargedMinor: null,
      bankHeldMinor: null,
      unverified: [],
      askedAt,
      endedAt,
      modifications,
    },
  }
}

const isToday = ({ minute }: BankAction) => minute >= 0 && minute < dayMinutes
const common = { terminal: 'T1', reference, currency: 'TRY' }

/** The bank's statement of the day for such a history, by the bank's clock. */
function statementOf(life: Life): StatementLine[] {
  const [first, second, ...later] = life.actions
  assert.ok(first && second)
  const changes = life.kind === 'sale' || life.kind === 'hold' ? [first] : [first, second]
  const hasChanged = changes.length > 1 && second.minute < dayMinutes
  const lines = changes.some(isToday) ? [chargeLine(life, hasChanged)] : []
  for (const [index, { amountMinor, isKnown }] of (isTaken(life) ? life.refunds : []).entries()) {
    if (!isToday(later[index] ?? second)) continue
    const [line, refundId] = [3 + index, isKnown ? 110 + index : null]
    lines.push({ ...common, line, mark: line, subject: 'refund', refundId, amountMinor, state: 'done' })
  }
  // A bank may write lines in any order.
  return lines.toReversed()
}

function chargeLine({ kind }: Life, hasChanged: boolean): StatementLine {
  const line = { ...common, line: 2, mark: 2, subject: 'charge', refundId: null } as const
  if (hasChanged && kind === 'captured') return { ...line, amountMinor: 8_000, state: 'taken' }
  if (hasChanged) return { ...line, amountMinor: chargedMinor, state: 'undone' }
  const state = kind === 'sale' || kind === 'voided' ? 'taken' : 'held'
  return { ...line, amountMinor: chargedMinor, state }
}

const isBreak = ({ kind }: { kind: string }) => (breakKinds as readonly string[]).includes(kind)

it('a correct statement makes no break, whatever the history of a charge', () => {
  fc.assert(
    fc.property(lives(0), (life) => {
      const lines = statementOf(life)
      const { matched, breaks } = compareCharge(bookOf(life), lines, day)
      assert.deepEqual(breaks.filter(isBreak), [])
      assert.ok(breaks.every(({ kind }) => kind === 'near_edge'))
      assert.equal(matched, lines.length)
    }),
    { numRuns: repetitions(2_000) },
  )
})

const faults = ['lost', 'another amount', 'another state', 'twice', 'one more'] as const

it('every fault seeded into one line is found, and nothing else', () => {
  const far = lives(12).filter((life) => statementOf(life).length > 0)
  fc.assert(
    fc.property(far, fc.constantFrom(...faults), fc.nat(), (life, fault, pick) => {
      const right = statementOf(life)
      const index = pick % right.length
      const line = right[index]
      assert.ok(line)
      const otherAmount = { ...line, amountMinor: line.amountMinor + 1 }
      const states = (['taken', 'held', 'undone'] as const).filter((state) => state !== line.state)
      const otherwise = { ...line, state: states[pick % states.length] ?? 'taken' }
      const stranger: StatementLine = { ...line, subject: 'refund', state: 'done', refundId: null }
      const [lines, kind] = {
        lost: [right.toSpliced(index, 1), 'ours_only'],
        'another amount': [right.with(index, otherAmount), 'amount'],
        'another state':
          line.subject === 'charge' ? [right.with(index, otherwise), 'state'] : [right, undefined],
        twice: [[...right, { ...line, line: 99 }], 'theirs_only'],
        'one more': [[...right, { ...stranger, amountMinor: 7, line: 99, mark: 99 }], 'theirs_only'],
      }[fault] as [StatementLine[], string | undefined]
      const { breaks } = compareCharge(bookOf(life), lines, day)
      assert.deepEqual(
        breaks.map((each) => each.kind),
        kind === undefined ? [] : [kind],
      )
    }),
    { numRuns: repetitions(2_000) },
  )
})
