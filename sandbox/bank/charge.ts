import type { Sql } from '../../kit/runtime/sql.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { bankZone } from './issuer.ts'
import type { ChargeKind, ChargeOperation } from './store.ts'
import { allCharges } from './store.ts'

/** Balance of a charge: the sum of its operations. */
export interface ChargeBalance {
  held: number
  /** What is taken now, after refunds. */
  taken: number
  /** What was taken at first. */
  gross: number
  takenAt: Date | undefined
  /** What refunds have given back. */
  refunded: number
}

const untouched: ChargeBalance = { held: 0, taken: 0, gross: 0, takenAt: undefined, refunded: 0 }

/** Operations that have happened to a charge by some time, in order, and its balance after them. */
export interface ChargeHistory<Own extends ChargeOperation = ChargeOperation> {
  operations: readonly Own[]
  balance: ChargeBalance
}

/**
 * Answers which of the operations, given in the order of their numbers, have happened by this time. Guarantee: what
 * could not be done any more when its time came did not happen, and a part was given back once.
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
    // A void undoes all that is there when it happens, whatever was there when it was asked for.
    const { held, taken } = balance
    happened.push(operation.kind === 'voided' ? { ...operation, amount: held + taken } : operation)
    balance = next
  }
  return { operations: happened, balance }
}

/** Balance of a charge after an operation; undefined when that cannot be done to it. */
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
  // Of a charge that was given back in part, a void would give back that part again.
  const isWhole = taken > 0 && taken === gross && takenAt !== undefined && !isSettled(takenAt, at)
  return held > 0 || isWhole ? { ...balance, held: 0, taken: 0 } : undefined
}

/** Whether the bank's day has ended between the two: from then on what was taken is settled. */
export function isSettled(takenAt: Date, now: Date): boolean {
  const dayOf = (time: Date) => isoTime(time, bankZone).slice(0, 10)
  return dayOf(takenAt) < dayOf(now)
}

/** A line of the book, to be compared with our own records. */
export interface ChargeSummary {
  terminal: string
  reference: string
  kind: ChargeKind
  /** `00` is approved. */
  code: string
  held: number
  taken: number
  /** What refunds have given back of what was taken. */
  refunded: number
  /** What happened, in its order. */
  operations: ChargeOperation['kind'][]
}

/** Answers the whole book at this time, in the order in which the bank was asked. */
export async function chargeSummaries(sql: Sql, now: Date): Promise<ChargeSummary[]> {
  const charges = await allCharges(sql)
  return charges.map(({ operations: written, ...charge }) => {
    const { operations, balance } = chargeHistoryOf(written, now)
    const { held, taken, refunded } = balance
    return { ...charge, held, taken, refunded, operations: operations.map(({ kind }) => kind) }
  })
}
