import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { ListCursor, SearchResult, SearchWindow } from '../database/search.ts'
import { maxExactCount } from '../database/search.ts'
import { affectsBalance, balanceChange, commissionOfTransfer } from '../ledger/index.ts'
import type { BalanceTransfer } from './transfer.ts'
import { balanceTransferColumns } from './transfer.ts'

export interface TransferSearch extends SearchWindow {
  merchantId: number
  currency: string | undefined
  reason: BalanceTransfer['reason'] | undefined
  paymentId: number | undefined
}

/** Literals instead of parameters, so that the partial index of refunds is used. */
const ofReason = { payment: sql`reason = 'payment'`, refund: sql`reason = 'refund'` }

/** Transfers that changed a merchant's balance, newest first. Undefined if `after` is not one of them. */
export async function searchTransfers(
  database: Sql,
  search: TransferSearch,
): Promise<SearchResult<BalanceTransfer> | undefined> {
  const { merchantId, after, limit } = search
  const rows = await database.many<
    BalanceTransfer & { count: number; isCursorKnown: boolean; id: number | null }
  >(
    unprepared(sql`select ${balanceTransferColumns.columns('transfer')}, ${balanceChange} as "changeMinor",
        ${commissionOfTransfer(merchantId)} as "commissionMinor", tally.*
      from (select
        (select count(*) from (select from ledger_transfers
          where merchant_id = ${merchantId} and ${fits(search)} limit ${maxExactCount + 1}) as fitting) as count,
        ${cursorExists(merchantId, after)} as "isCursorKnown") as tally
      left join lateral (select * from ledger_transfers
          where merchant_id = ${merchantId} and ${fits(search)} and ${afterCursor(after)}
        order by created_at desc, id desc limit ${limit + 1}) as transfer on true
      order by created_at desc, id desc`),
  )
  const [any] = rows
  if (!any?.isCursorKnown) return undefined
  const transfers = rows.filter(({ id }) => id !== null)
  return { items: transfers.slice(0, limit), count: any.count, hasMore: transfers.length > limit }
}

/** Conditions of the given filters only, so that the planner can use their indexes. */
function fits({ from, before, currency, reason, paymentId }: TransferSearch): SqlFragment {
  const conditions = [
    affectsBalance,
    ...(from ? [sql`created_at >= ${from}`] : []),
    ...(before ? [sql`created_at < ${before}`] : []),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
    ...(reason ? [ofReason[reason]] : []),
    ...(paymentId === undefined ? [] : [sql`payment_id = ${paymentId}`]),
  ]
  return join(conditions, ' and ')
}

function afterCursor(cursor: ListCursor | undefined): SqlFragment {
  return cursor ? sql`(created_at, id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::bigint)` : sql`true`
}

/** True if the cursor is a transfer of the merchant. Transfers are never deleted, so a cursor stays valid. */
function cursorExists(merchantId: number, cursor: ListCursor | undefined): SqlFragment {
  if (!cursor) return sql`true`
  return sql`exists (select from ledger_transfers
    where merchant_id = ${merchantId} and id = ${cursor.id} and created_at = ${cursor.createdAt})`
}
