import type { SqlFragment } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { PackedPricedPos, PricedSealedPos } from './store.ts'
import { posVersionColumn, pricedSealedPosColumns, pricedSealedPosIn } from './store.ts'

/**
 * Longest use of prices from memory. An instance of an older program can change rates without changing the
 * version.
 */
const maxAgeMs = 5_000
/** Merchants whose prices are in memory. Beyond that, those that were read longest ago are dropped. */
export const maxMerchants = 500

/** POS of a merchant with their prices, as this process has last read them. */
interface RememberedPrices {
  version: string
  poses: PricedSealedPos[]
  /** Time of the reading, and of the next change of a price. */
  from: Date
  until: Date | null
}

const remembered = () => new Map<number, RememberedPrices>()

/** Both forms of a query: with the merchant's POS and prices, and only with their version. */
export type PricedQueries<Query> = Record<'withPrices' | 'withVersion', Query>

export function pricedQueries<Query>(
  merchantId: SqlFragment,
  now: SqlFragment,
  build: (columns: SqlFragment[]) => Query,
): PricedQueries<Query> {
  return {
    withPrices: build(pricedSealedPosColumns(merchantId, now)),
    withVersion: build([posVersionColumn(merchantId)]),
  }
}

/** Row of such a query. The last two columns are in the form with the prices. */
export interface PricedRow {
  posVersion: string
  poses?: PackedPricedPos[]
  nextPriceAt?: Date | null
}

/**
 * Reads a row with all POS of the merchant and their current prices. Guarantee: they are those of the moment at
 * which the row is read. Prices from memory are used if their version is still the one in the database. Beside
 * an instance of an older program they can be five seconds old.
 */
export async function readWithPrices<Row extends PricedRow>(
  { processState }: Pick<Services, 'processState'>,
  { merchantId, now }: { merchantId: number; now: Date },
  read: (form: keyof PricedQueries<unknown>) => Promise<Row | undefined>,
): Promise<{ row: Row; poses: PricedSealedPos[] } | undefined> {
  const prices = processState.of(remembered)
  const known = prices.get(merchantId)
  if (known && isInForce(known, now)) {
    const row = await read('withVersion')
    if (!row || row.posVersion === known.version) return row && { row, poses: known.poses }
  }
  const row = await read('withPrices')
  if (!row) return undefined
  const poses = pricedSealedPosIn({ poses: row.poses ?? [] })
  prices.delete(merchantId)
  prices.set(merchantId, { version: row.posVersion, poses, from: now, until: row.nextPriceAt ?? null })
  const [longestAgo] = prices.keys()
  if (prices.size > maxMerchants && longestAgo !== undefined) prices.delete(longestAgo)
  return { row, poses }
}

function isInForce({ from, until }: RememberedPrices, now: Date): boolean {
  return now >= from && now.getTime() < from.getTime() + maxAgeMs && (until === null || now < until)
}
