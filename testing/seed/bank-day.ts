import type { RecordedCharge, RecordedModification } from '../../server/reconciliation/recorded-charge.ts'
import type { CoveredPos } from '../../server/reconciliation/store.ts'
import type { TestStatementLine } from './bank-statement.ts'

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

let ids = 20_000_000_000_000
export const nextId = () => ++ids

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
    ...{
      reference: `${attemptId}${ending}`,
      state: 'approved',
      preAuth: false,
      currency: 'TRY',
      chargedMinor: 10_000 + (attemptId % 997),
      bankChargedMinor: null,
      bankHeldMinor: null,
      unverified: [],
    },
    ...{ askedAt: time, endedAt: new Date(time.getTime() + 900), modifications: [], ...more },
  }
}

export function newTestModification(
  kind: RecordedModification['kind'],
  operation: RecordedModification['operation'],
  time: Date,
  amountMinor: number,
): RecordedModification {
  const id = nextId()
  const times = { beganAt: time, endedAt: new Date(time.getTime() + 700) }
  return {
    id,
    kind,
    operation,
    refundId: kind === 'refund' ? nextId() : null,
    amountMinor,
    bankAmountMinor: null,
    state: 'done',
    ...times,
  }
}

export const statementLineOf = ({ reference, chargedMinor, preAuth }: RecordedCharge): TestStatementLine => ({
  reference,
  amountMinor: chargedMinor,
  state: preAuth ? 'held' : 'taken',
})

const refundOf = (
  { reference }: RecordedCharge,
  { refundId, amountMinor }: RecordedModification,
  part?: string,
): TestStatementLine => ({
  reference,
  amountMinor,
  state: 'done',
  part: part ?? String(refundId),
})

/** One charge of each kind, with the bank's lines of that day. */
const kinds: ((pos: Terminal, time: Date) => ChargeOnBothSides)[] = [
  (pos, time) => {
    const charge = newTestCharge(pos, time)
    return { charge, lines: [statementLineOf(charge)] }
  },
  (pos, time) => {
    const charge = newTestCharge(pos, time, { preAuth: true })
    return { charge, lines: [statementLineOf(charge)] }
  },
  (pos, time) => {
    const modifications = [newTestModification('capture', 'capture', time, 4_321)]
    const charge = newTestCharge(pos, time, { preAuth: true, modifications })
    return { charge, lines: [{ ...statementLineOf(charge), amountMinor: 4_321, state: 'taken' }] }
  },
  (pos, time) => {
    const modifications = [newTestModification('release', 'void', time, 10_000)]
    const charge = newTestCharge(pos, new Date(time.getTime() - 3 * dayMs), { preAuth: true, modifications })
    return { charge, lines: [{ ...statementLineOf(charge), state: 'undone' }] }
  },
  (pos, time) => {
    const modifications = [newTestModification('refund', 'void', time, 10_000)]
    const charge = newTestCharge(pos, time, { modifications })
    return { charge, lines: [{ ...statementLineOf(charge), state: 'undone' }] }
  },
  (pos, time) => {
    const refund = newTestModification('refund', 'refund', time, 1_500)
    const charge = newTestCharge(pos, time, { modifications: [refund] })
    return { charge, lines: [refundOf(charge, refund), statementLineOf(charge)] }
  },
  (pos, time) => {
    const refunds = [1_500, 2_500, 1_500].map((amount) =>
      newTestModification('refund', 'refund', time, amount),
    )
    const charge = newTestCharge(pos, new Date(time.getTime() - 5 * dayMs), { modifications: refunds })
    const lines = refunds.toReversed().map((refund, index) => refundOf(charge, refund, `R-${index}`))
    return { charge, lines }
  },
]

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
    return kind(pos, at(10 + index * step))
  })
}
