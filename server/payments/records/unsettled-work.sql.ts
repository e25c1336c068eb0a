import type { Sql } from '../../../kit/runtime/sql.ts'
import { raw, sql } from '../../../kit/runtime/sql.ts'
import type { Columns, RowOf, Table } from '../../../kit/runtime/table.ts'
import type { AttemptColumn } from './attempt.sql.ts'
import { attemptColumn, requireAttemptIn } from './attempt.sql.ts'
import type { Attempt } from './attempt.ts'
import type { WorkTable } from './bank-work.sql.ts'
import type { PaymentState } from './states.ts'

/** A table of work with its map. */
type MappedWorkTable<Kinds extends Columns> = WorkTable & { readonly map: Table<Kinds> }

const isInReview = sql`w.needs_review_at is not null`

/** Data that a manual review needs beside the row. */
export interface ReviewContext {
  attempt: Attempt
  merchantName: string
  timeZone: string
  posName: string
  paymentState: PaymentState
  /** The open refund of the payment, and the modification that refunds a surplus. */
  openRefundId: number | null
  surplusRefundId: number | null
}

/** Work that needs manual review, or all unsettled work; oldest first. */
export async function unsettledWork<Kinds extends Columns>(
  database: Sql,
  table: MappedWorkTable<Kinds>,
  { isAll, limit }: { isAll: boolean; limit: number },
): Promise<(RowOf<Table<Kinds>> & ReviewContext)[]> {
  const rows = await database.many<
    RowOf<Table<Kinds>> & Omit<ReviewContext, 'attempt'> & AttemptColumn
  >(sql`select ${table.map.columns('w')}, ${attemptColumn(sql`w.merchant_id`)}, m.name as "merchantName", m.time_zone as "timeZone",
      c.name as "posName", p.state as "paymentState", p.refund_id as "openRefundId",
      (select min(d.id) from modifications d where d.merchant_id = w.merchant_id and d.payment_id = w.payment_id
        and d.kind = 'refund' and d.refund_id is null and d.state = 'doing') as "surplusRefundId"
    from ${raw(table.name)} w
      join payments p on p.merchant_id = w.merchant_id and p.id = w.payment_id
      join payment_attempts a on a.merchant_id = w.merchant_id and a.id = ${table.attemptId}
      join pos_credentials c on c.merchant_id = w.merchant_id and c.id = w.pos_id
      join merchants m on m.id = w.merchant_id
    where ${isAll ? table.isUnsettled : isInReview} order by w.${raw(table.began)}, w.id limit ${limit}`)
  return rows.map((row) => ({ ...row, attempt: requireAttemptIn(row) }))
}

export async function countUnsettledWork(database: Sql, table: WorkTable, isAll: boolean): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count(*)::int as count from ${raw(table.name)} w where ${isAll ? table.isUnsettled : isInReview}`,
  )
  return count
}
