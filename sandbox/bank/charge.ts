import type { Sql } from '../../kit/runtime/sql.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { bankZone } from './issuer.ts'
import type { ChargeKind, ChargeOperation } from './store.ts'
import { allCharges } from './store.ts'

/** Balance of a charge: the sum of its operations. */
export interface ChargeBalance {
  held: number
  /** Amount taken now, after refunds. */
  taken: number
  /** Amount taken before refunds. */
  gross: number
  takenAt: Date | undefined
  /** Sum of the refunds. */
  refunded: number
}

const untouched: ChargeBalance = { held: 0, taken: 0, gross: 0, takenAt: undefined, refunded: 0 }

/** Operations on a charge up to some time, in order, and its balance after them. */
export interface ChargeHistory<Own extends ChargeOperation = ChargeOperation> {
  operations: readonly Own[]
  balance: ChargeBalance
}

/**
 * History of a charge at this time, from its operations in the order of their numbers. Guarantee: an
 * operation that is impossible when it becomes due has no effect, and each part is refunded once.
 */
export function chargeHistoryOf<Own extends ChargeOperation>(
  operations: readonly Own[],
  now: Date,
): ChargeHistory<Own> {
  const inOrder = operations
    .filter(({ at }) => at <= now)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
  let balance = untouched
  const happened: Own[] = []
  for (const operation of inOrder) {
    const isRepeated = operation.part !== null && happened.some(({ part }) => part === operation.part)
    const next = isRepeated ? undefined : balanceAfter(balance, operation)
    if (!next) continue
    // A void covers the balance at the time it takes effect, not at the time of its request.
    const { held, taken } = balance
    happened.push(operation.kind === 'voided' ? { ...operation, amount: held + taken } : operation)
    balance = next
  }
  return { operations: happened, balance }
}

/** Balance of a charge after an operation; undefined if the operation is impossible. */
function balanceAfter(
  balance: ChargeBalance,
  { kind, amount, at }: ChargeOperation,
): ChargeBalance | undefined {
  const { held, taken, gross, takenAt, refunded } = balance
  const isDone = { held: 0, taken: amount, gross: amount, takenAt: at, refunded: 0 }
  if (kind === 'held') return { ...untouched, held: amount }
  if (kind === 'authorized') return isDone
  if (kind === 'captured') return held > 0 && amount <= held ? isDone : undefined
  if (kind === 'refunded') {
    return amount <= taken ? { ...balance, taken: taken - amount, refunded: refunded + amount } : undefined
  }
  if (kind !== 'voided') return undefined
  // A void after a partial refund would return the refunded part twice.
  const isWhole = taken > 0 && taken === gross && takenAt !== undefined && !isSettled(takenAt, at)
  return held > 0 || isWhole ? { ...balance, held: 0, taken: 0 } : undefined
}

/** True if the bank's day ended between the two times. The amount taken is settled then. */
export function isSettled(takenAt: Date, now: Date): boolean {
  const dayOf = (time: Date) => isoTime(time, bankZone).slice(0, 10)
  return dayOf(takenAt) < dayOf(now)
}

/** A line of the bank's records, to be compared with ours. */
export interface ChargeSummary {
  terminal: string
  reference: string
  kind: ChargeKind
  /** `00` means approved. */
  code: string
  held: number
  taken: number
  /** Sum of the refunds. */
  refunded: number
  /** Kinds of the operations, in order. */
  operations: ChargeOperation['kind'][]
}

/** All charges in the bank's records at this time, in the order of their requests. */
export async function chargeSummaries(sql: Sql, now: Date): Promise<ChargeSummary[]> {
  const charges = await allCharges(sql)
  return charges.map(({ operations: written, ...charge }) => {
    const { operations, balance } = chargeHistoryOf(written, now)
    const { held, taken, refunded } = balance
    return { ...charge, held, taken, refunded, operations: operations.map(({ kind }) => kind) }
  })
}
