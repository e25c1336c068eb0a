import type { Sql } from '../../kit/runtime/sql.ts'
import { sql, unprepared } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { AmountDifference, LedgerPayment, PaymentIdRange } from '../ledger/index.ts'
import { ledgerTransfers } from '../ledger/index.ts'
import type { PaymentState } from '../payments/for-integrity.ts'
import type { VerificationKind } from '../payments/index.ts'
import { refunds } from '../refunds/index.ts'
import { ofMerchant, paymentRows } from './integrity-check.sql.ts'
import { itsAttempt, paid } from './payments.sql.ts'

const checkedTransfers = ledgerTransfers.pick('cause', 'reason', 'currency', 'debit', 'credit', 'amountMinor')
const checkedRefunds = refunds.pick('id', 'state', 'amountMinor', 'chargedMinor', 'commissionMinor')

export type CheckedTransfer = RowOf<typeof checkedTransfers>
export type CheckedRefund = RowOf<typeof checkedRefunds>

type OperationIds = Pick<AmountDifference, 'operationId' | 'refundId'>

/** A payment that is paid or has transfers or refunds, with its approved attempt. */
export interface PaymentWithTransfers {
  merchantId: number
  paymentId: number
  state: PaymentState
  amountMinor: number
  attempt: Omit<LedgerPayment, 'paymentId'> | null
  transfers: CheckedTransfer[]
  /**
   * In the order of the requests. Only one refund is open at a time, so this is also the order of execution.
   */
  refunds: CheckedRefund[]
  /** Approvals for which the bank has a different amount. */
  differences: (OperationIds & { kind: VerificationKind; amountMinor: number; bankAmountMinor: number })[]
  /** Completed refund modifications, with the amount beyond their refund. */
  returns: (OperationIds & { surplusRefundedMinor: number })[]
}

type PackedRow = Omit<PaymentWithTransfers, 'transfers' | 'refunds'> &
  Record<'transfers' | 'refunds', unknown[][]>

export async function paymentsWithTransfersWithin(
  database: Sql,
  range: PaymentIdRange,
): Promise<PaymentWithTransfers[]> {
  const { merchantId } = range
  const query = sql`select p.merchant_id as "merchantId", p.id as "paymentId", p.state, p.amount as "amountMinor",
      case when a.id is not null then json_build_object('chargedMinor', a.charged,
        'commissionMinor', a.commission, 'currency', a.currency) end as attempt,
      coalesce(t.transfers, '[]') as transfers, coalesce(r.refunds, '[]') as refunds,
      coalesce(v.differences, '[]') as differences, coalesce(d.returns, '[]') as returns
    from ${paymentRows.within(range)} left join ${itsAttempt}
      join lateral (select json_agg(${checkedTransfers.packed()}) as transfers
        from ledger_transfers where merchant_id = ${merchantId} and payment_id = p.id) as t on true
      join lateral (select json_agg(${checkedRefunds.packed()} order by requested_at, id) as refunds
        from refunds where merchant_id = ${merchantId} and payment_id = p.id) as r on true
      join lateral (select json_agg(json_build_object('operationId', v.id, 'refundId', d.refund_id, 'kind', v.kind,
          'amountMinor', v.amount, 'bankAmountMinor', v.bank_amount)) as differences
        from verifications v left join modifications d on d.merchant_id = ${merchantId} and d.id = v.modification_id
        where v.merchant_id = ${merchantId} and v.payment_id = p.id and v.bank_amount is not null) as v on true
      join lateral (select json_agg(json_build_object('operationId', d.id, 'refundId', d.refund_id,
          'surplusRefundedMinor', d.amount - coalesce(r.charged, 0))) as returns
        from modifications d left join refunds r on r.merchant_id = ${merchantId} and r.id = d.refund_id
        where d.merchant_id = ${merchantId} and d.payment_id = p.id and d.kind = 'refund' and d.state = 'done') as d
        on true
    where p.state in (${paid}) or t.transfers is not null or r.refunds is not null
    order by p.id`
  const rows = await database.many<PackedRow>(unprepared(ofMerchant(query, merchantId)))
  return rows.map((row) => ({
    ...row,
    transfers: row.transfers.map(checkedTransfers.unpack),
    refunds: row.refunds.map(checkedRefunds.unpack),
  }))
}
