import type { Sql } from '../../kit/runtime/sql.ts'
import { changesSinceSnapshot, snapshotOf } from './snapshot.sql.ts'

/** A merchant's balance in one currency. */
export interface MerchantBalance {
  currency: string
  /** Amount that can be used now. Negative if refunds exceed the available amount. */
  availableMinor: number
  /** Amount that becomes available later. */
  pendingMinor: number
}

/**
 * Balance of a merchant now, in each currency in which it ever changed. Guarantee: the sum of all its
 * transfers at one moment, without reading all of them. Two queries are safe: no transfer is ever posted
 * before the end of a snapshot.
 */
export async function merchantBalancesOf(
  database: Sql,
  merchantId: number,
  now: Date,
): Promise<MerchantBalance[]> {
  const snapshot = await snapshotOf(database, merchantId)
  const balances = new Map<string, MerchantBalance>()
  const add = (currency: string, availableMinor: number, pendingMinor: number) => {
    const known = balances.get(currency) ?? { availableMinor: 0, pendingMinor: 0 }
    balances.set(currency, {
      currency,
      availableMinor: known.availableMinor + availableMinor,
      pendingMinor: known.pendingMinor + pendingMinor,
    })
  }
  for (const { currency, availableAt, amountMinor } of snapshot.sums) {
    const pendingMinor = availableAt && availableAt > now ? amountMinor : 0
    add(currency, amountMinor - pendingMinor, pendingMinor)
  }
  for (const { currency, amountMinor, pendingMinor } of await changesSinceSnapshot(
    database,
    merchantId,
    snapshot,
    now,
  )) {
    add(currency, amountMinor - pendingMinor, pendingMinor)
  }
  return [...balances.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
