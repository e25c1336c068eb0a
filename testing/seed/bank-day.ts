import type { RecordedCharge, RecordedModification } from '../../server/reconciliation/recorded-charge.ts'
import type { CoveredPos } from '../../server/reconciliation/store.ts'
import type { TestStatementLine } from './bank-statement.ts'
import { nextId } from './seed.ts'

const dayMs = 24 * 60 * 60 * 1000
const minuteMs = 60 * 1000

/** Each test has its own day, so that it does not see the rows of another. */
let days = 0

export function newBankDay(): { day: string; at(minutes: number): Date } {
  days += 2
  const startMs = Date.parse('2026-01-01T00:00:00+03:00') + days * dayMs
  const day = new Date(startMs + dayMs / 2).toISOString().slice(0, 10)
  return { day, at: (minutes) => new Date(startMs + minutes * minuteMs) }
}

/** POS of a charge. */
type Terminal = Pick<CoveredPos, 'merchantId' | 'id'>

/** A charge in our records and its lines on the bank's statement of a day. */
export interface ChargeOnBothSides {
  charge: RecordedCharge
  lines: TestStatementLine[]
}

export function newTestCharge(pos: Terminal, time: Date, more: Partial<RecordedCharge> = {}): RecordedCharge {
  const attemptId = nextId()
  const ending = `Z${(attemptId % 60_000_000).toString(36).toUpperCase().padStart(5, '0')}`.slice(0, 6)
  return {
    ...{ merchantId: pos.merchantId, posId: pos.id, attemptId, paymentId: nextId() },
    ...{ reference: `${attemptId}${ending}`, state: 'approved', preAuth: false, currency: 'TRY' },
    ...{ chargedMinor: 10_000 + (attemptId % 997), bankChargedMinor: null, bankHeldMinor: null },
    ...{ unverified: [], askedAt: time, endedAt: new Date(time.getTime() + 900), modifications: [], ...more },
  }
}

export function newTestModification(
  kind: RecordedModification['kind'],
  operation: RecordedModification['operation'],
  time: Date,
  amountMinor: number,
): RecordedModification {
  return {
    ...{ id: nextId(), kind, operation, refundId: kind === 'refund' ? nextId() : null, amountMinor },
    ...{ bankAmountMinor: null, state: 'done', beganAt: time, endedAt: new Date(time.getTime() + 700) },
  }
}

export const statementLineOf = ({ reference, chargedMinor, preAuth }: RecordedCharge): TestStatementLine => ({
  reference,
  amountMinor: chargedMinor,
  state: preAuth ? 'held' : 'taken',
})

const refundLineOf = (
  { reference }: RecordedCharge,
  { refundId, amountMinor }: RecordedModification,
  part = String(refundId),
): TestStatementLine => ({ reference, amountMinor, state: 'done', part })

/** A kind of charge: its fields, its modifications, and the bank's lines of that day. */
interface ChargeKind {
  daysBefore?: number
  preAuth?: true
  modified?: [
    kind: RecordedModification['kind'],
    operation: 'capture' | 'void' | 'refund',
    amountMinor: number,
  ][]
  linesOf(charge: RecordedCharge): TestStatementLine[]
}

const undone = (charge: RecordedCharge) => [{ ...statementLineOf(charge), state: 'undone' }]

/** One charge of each kind. */
const kinds: readonly ChargeKind[] = [
  { linesOf: (charge) => [statementLineOf(charge)] },
  { preAuth: true, linesOf: (charge) => [statementLineOf(charge)] },
  {
    ...{ preAuth: true, modified: [['capture', 'capture', 4_321]] },
    linesOf: (charge) => [{ ...statementLineOf(charge), amountMinor: 4_321, state: 'taken' }],
  },
  { daysBefore: 3, preAuth: true, modified: [['release', 'void', 10_000]], linesOf: undone },
  { modified: [['refund', 'void', 10_000]], linesOf: undone },
  {
    modified: [['refund', 'refund', 1_500]],
    linesOf: (charge) => [
      ...charge.modifications.map((refund) => refundLineOf(charge, refund)),
      statementLineOf(charge),
    ],
  },
  {
    ...{ daysBefore: 5, modified: [1_500, 2_500, 1_500].map((amount) => ['refund', 'refund', amount]) },
    linesOf: (charge) =>
      charge.modifications.toReversed().map((refund, index) => refundLineOf(charge, refund, `R-${index}`)),
  },
]

function chargeOnBothSides(pos: Terminal, time: Date, kind: ChargeKind): ChargeOnBothSides {
  const { daysBefore = 0, preAuth = false, modified = [], linesOf } = kind
  const modifications = modified.map(([what, operation, amountMinor]) =>
    newTestModification(what, operation, time, amountMinor),
  )
  const askedAt = new Date(time.getTime() - daysBefore * dayMs)
  const charge = newTestCharge(pos, askedAt, { preAuth, modifications })
  return { charge, lines: linesOf(charge) }
}

/**
 * This many charges, spread from 00:10 to 23:50. Of every twenty, six are of the other kinds and the rest
 * plain sales.
 */
export function chargesOfDay(
  pos: Terminal,
  count: number,
  at: (minutes: number) => Date,
): ChargeOnBothSides[] {
  const step = (23 * 60 + 40) / count
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % 20] ?? kinds[0]
    if (!kind) throw new Error('there are kinds')
    return chargeOnBothSides(pos, at(10 + index * step), kind)
  })
}
