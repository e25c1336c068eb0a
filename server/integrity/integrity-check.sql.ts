import type { Sql } from '../../kit/runtime/sql.ts'
import { empty, raw, SqlFragment, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { PaymentIdRange } from '../ledger/index.ts'

/** A violated condition, and the payment or merchant that violates it. */
export interface IntegrityViolation {
  merchantId: number
  /** Null if the violation concerns the merchant as a whole. */
  paymentId: number | null
  detail: string
}

/** Stands in a check for the id of the merchant whose rows are checked; `ofMerchant` puts the id in. */
export const checkedMerchantId = Symbol('checkedMerchantId')

/** A query made of checks, for one merchant. */
export function ofMerchant({ strings, values }: SqlFragment, merchantId: number): SqlFragment {
  return new SqlFragment(
    strings,
    values.map((value) => (value === checkedMerchantId ? merchantId : value)),
  )
}

/** Rows that a check reads, under an alias. */
interface CheckedRows {
  alias: SqlFragment
  paymentId: SqlFragment
  within(range: PaymentIdRange): SqlFragment
}

/** A condition that must not occur, and the text that describes a row in which it does. */
interface Condition {
  join?: SqlFragment
  where: SqlFragment
  detail: SqlFragment
}

export interface IntegrityCheck extends CheckedRows, Condition {
  what: string
  /** A warning is no violation: the condition can end without intervention. */
  isWarning?: true
}

/**
 * Checks of the same rows. The key of each is the text of its violation. A check can replace `within` to group the
 * rows. Related rows are looked up by key, row by row, so the time of a check grows with the range and does not
 * depend on planner statistics.
 */
export function checksOf(
  rows: CheckedRows,
  checks: Readonly<Record<string, Condition & Partial<CheckedRows>>>,
): IntegrityCheck[] {
  return Object.entries(checks).map(([what, check]) => ({ what, ...rows, ...check }))
}

function rowsOf(table: string, alias: string, paymentId = 'payment_id'): CheckedRows {
  const key = raw(paymentId)
  return {
    alias: raw(alias),
    paymentId: key,
    within: ({
      merchantId,
      behind,
      upTo,
    }) => sql`(select * from ${raw(table)} where merchant_id = ${merchantId}
      and ${key} > ${behind}::bigint and ${key} <= ${upTo}::bigint) as ${raw(alias)}`,
  }
}

export const paymentRows = rowsOf('payments', 'p', 'id')
export const attemptRows = rowsOf('payment_attempts', 't')
export const transferRows = rowsOf('ledger_transfers', 'l')
export const modificationRows = rowsOf('modifications', 'd')
export const refundRows = rowsOf('refunds', 'r')
export const verificationRows = rowsOf('verifications', 'v')
export const eventRows = rowsOf('events', 'e')

/** The first violations of a check in a range, each with the number of all. */
export function runIntegrityCheck(
  database: Sql,
  { alias, paymentId, within, join = empty, where, detail }: IntegrityCheck,
  range: PaymentIdRange,
  limit: number,
): Promise<(IntegrityViolation & { total: number })[]> {
  const query = sql`select ${alias}.merchant_id as "merchantId", ${alias}.${paymentId} as "paymentId",
      ${detail} as detail, count(*) over ()::integer as total
    from ${within(range)} ${join} where ${where} order by 1, 2, 3 limit ${limit}`
  return database.many(unprepared(ofMerchant(query, range.merchantId)))
}

export async function countRows(database: Sql, rows: CheckedRows, range: PaymentIdRange): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    unprepared(sql`select count(*)::integer as count from ${rows.within(range)}`),
  )
  return count
}

/** The first merchant with payments, transfers or a snapshot whose id is greater than `behind`. */
export async function nextMerchantToCheck(database: Sql, behind: number): Promise<number | undefined> {
  const { id } = await database.one<{ id: number | null }>(sql`select least(
    (select min(merchant_id) from payments where merchant_id > ${behind}::bigint),
    (select min(merchant_id) from ledger_transfers where merchant_id > ${behind}::bigint),
    (select min(merchant_id) from balance_snapshots where merchant_id > ${behind}::bigint)) as id`)
  return id ?? undefined
}

/**
 * The last payment id of the range that begins after `behind`; undefined if fewer than `size` payments are
 * left.
 */
export async function lastPaymentIdOfRange(
  database: Sql,
  merchantId: number,
  behind: number,
  size: number,
): Promise<number | undefined> {
  const last = await database.maybe<{ id: number }>(sql`select id from payments
    where merchant_id = ${merchantId} and id > ${behind}::bigint order by id offset ${size - 1} limit 1`)
  return last?.id
}
