import { maxAmountMinor, minAmountMinor } from '../../kit/money/money.ts'
import type { Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, raw, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { BalanceSheet } from './balance-sheet.ts'
import { debitSigns } from './balance-sheet.ts'
import type { PostingReason, Transfer } from './transfer.ts'
import { accounts, ledgerTransfers, postingReasons, postingRules } from './transfer.ts'

/**
 * True if a transfer changes the merchant's balance. The text must match the predicate of the partial
 * indexes.
 */
export const affectsBalance = sql`(debit = 'balance' or credit = 'balance')`

/** Signed change of the merchant's balance. */
export const balanceChange = sql`case when credit = 'balance' then amount else -amount end`

/**
 * Commission that was posted beside the row `transfer`, for the same payment or refund, under a separate cause.
 */
export function commissionOfTransfer(merchantId: number): SqlFragment {
  return sql`coalesce((select commission.amount from ledger_transfers commission
    where commission.merchant_id = ${merchantId} and commission.cause = case transfer.reason
      when 'payment' then 'commission ' || transfer.payment_id else 'refund_commission ' || transfer.refund_id end), 0)`
}

/**
 * Part of a transition: posts the transfers. A delayed query posts after the end of the snapshot, because
 * earlier transfers are never summed again.
 */
export function transfersPart(merchantId: number, transfers: readonly Transfer[]): Insert {
  const rows = transfers.map(
    (
      row,
    ) => sql`(${untimed.values(row)}, greatest(${row.createdAt}::timestamptz, ${justAfterSnapshot(merchantId)}),
      ${availability(merchantId, row)})`,
  )
  return {
    into: ledgerTransfers.name,
    names: sql`merchant_id, ${untimed.names}, created_at, available_at`,
    select: (transition) =>
      sql`select transition.merchant_id, row.* from ${transition}, lateral (values ${join(rows)}) as row`,
  }
}

const untimed = ledgerTransfers.omit('merchantId', 'createdAt', 'availableAt')

function justAfterSnapshot(merchantId: number): SqlFragment {
  return sql`(select until + interval '1 millisecond' from balance_snapshots where merchant_id = ${merchantId})`
}

/** Time of availability of a payment, read from the transfer that was posted with the charge. */
function availability(merchantId: number, { availableAt, paymentId, createdAt }: Transfer): SqlFragment {
  if (availableAt !== 'with its payment') return sql`${availableAt}::timestamptz`
  return sql`(select earlier.available_at from ledger_transfers earlier
    where earlier.merchant_id = ${merchantId} and earlier.cause = ${`payment ${paymentId}`}
      and earlier.available_at > ${createdAt}::timestamptz)`
}

/**
 * A range of a merchant's payment ids: greater than `behind`, up to and including `upTo`. Integrity checks
 * read range by range, so that no query takes long.
 */
export interface PaymentIdRange {
  merchantId: number
  behind: number
  upTo: number
}

/** Balance sheets from the transfers of a range, by currency. */
export function balanceSheetsWithin(
  database: Sql,
  { merchantId, behind, upTo }: PaymentIdRange,
): Promise<BalanceSheet[]> {
  const sums = accounts.map(
    (
      account,
    ) => sql`sum(amount * ((debit is not distinct from ${account})::int - (credit is not distinct from ${account})::int)
      * ${debitSigns[account]}::int)::bigint as ${raw(account)}`,
  )
  return database.many(
    unprepared(sql`select merchant_id as "merchantId", currency, ${join(sums)} from ledger_transfers
      where merchant_id = ${merchantId} and payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint
      group by merchant_id, currency order by currency`),
  )
}

/** True if a transfer breaks a posting rule. The schema refuses most of them; a restored schema may not. */
export const isMalformed = sql`(not (${join(postingReasons.map(isOfReason), ' or ')})
  or amount not between ${minAmountMinor} and ${maxAmountMinor} or currency !~ '^[A-Z]{3}$'
  or available_at > created_at + interval '92 days' or created_at <> date_trunc('milliseconds', created_at))`

/** True if the accounts and the cause of a transfer match its reason. */
function isOfReason(reason: PostingReason): SqlFragment {
  const { debit, credit, of } = postingRules[reason]
  const causeConditions = {
    payment: sql`refund_id is null and cause = ${`${reason} `}::text || payment_id`,
    refund: sql`refund_id is not null and cause = ${`${reason} `}::text || refund_id`,
    // The integrity checks compare the id with the attempt or the modification.
    operation: sql`cause ~ ${`^${reason} [1-9][0-9]{13}$`}`,
  }
  return sql`(reason = ${reason} and debit = ${debit} and credit = ${credit} and ${causeConditions[of]})`
}

/** The first merchant with transfers whose id is greater than `behind`. */
export async function nextMerchantWithTransfers(database: Sql, behind: number): Promise<number | undefined> {
  const { id } = await database.one<{ id: number | null }>(
    sql`select min(merchant_id) as id from ledger_transfers where merchant_id > ${behind}`,
  )
  return id ?? undefined
}

/** Recent charges of a merchant in one currency: their sum, their number, and the refunded sum. */
export interface RecentVolume {
  takenMinor: number
  payments: number
  refundedMinor: number
}

/** Limit of payments and refunds that are read: enough to know a merchant's usual volume. */
const maxRecent = 5_000

/** Volume since a time, from the latest `maxRecent` payments and refunds. */
export function recentVolume(
  database: Sql,
  { merchantId, currency, since }: { merchantId: number; currency: string; since: Date },
): Promise<RecentVolume> {
  return database.one(
    unprepared(sql`select coalesce(sum(gross) filter (where reason = 'payment'), 0)::bigint as "takenMinor",
        count(*) filter (where reason = 'payment')::int as payments,
        coalesce(sum(gross) filter (where reason = 'refund'), 0)::bigint as "refundedMinor"
      from (select reason, amount + ${commissionOfTransfer(merchantId)} as gross
        from (select reason, payment_id, refund_id, amount from ledger_transfers
          where merchant_id = ${merchantId} and currency = ${currency} and ${affectsBalance} and created_at > ${since}
          order by created_at desc, id desc limit ${maxRecent}) as transfer) as lately`),
  )
}
