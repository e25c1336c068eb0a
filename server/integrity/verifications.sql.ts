import { sql } from '../../kit/runtime/sql.ts'
import { checkedMerchantId, checksOf, eventRows, verificationRows } from './integrity-check.sql.ts'

const approvalText = sql`v.kind || ' by ' || case when v.modification_id is null then 'attempt ' else 'modification ' end || v.id`

/** Checks of approvals without a proven amount, with their attempts, modifications and events of differences. */
export const verificationChecks = checksOf(verificationRows, {
  'has a verification that does not match its approval': {
    join: sql`left join lateral (select * from payment_attempts
        where merchant_id = ${checkedMerchantId} and id = v.attempt_id limit 1) as a on true
      left join lateral (select * from modifications
        where merchant_id = ${checkedMerchantId} and id = v.modification_id limit 1) as d on true`,
    where: sql`(a.state is distinct from 'approved' or a.payment_id <> v.payment_id or a.currency <> v.currency
      or a.pos_id <> v.pos_id or case when v.modification_id is null
        then v.id <> v.attempt_id or v.amount <> a.charged or v.kind <> case when a.pre_auth then 'hold' else 'charge' end
        else v.id <> v.modification_id or v.amount is distinct from d.amount or v.kind is distinct from d.kind
          or d.state <> 'done' or d.attempt_id <> v.attempt_id end)`,
    detail: sql`${approvalText} || ' of ' || round(v.amount / 100.0, 2)`,
  },
  'has an unverified approval without a due time, or with an end time or a bank amount': {
    where: sql`v.state = 'unverified' and (v.due_at is null or v.ended_at is not null or v.bank_amount is not null)`,
    detail: approvalText,
  },
  'has a verified or differing approval without the source or the time of its verification': {
    where: sql`v.state <> 'unverified' and (v.due_at is not null or v.ended_at is null or v.source is null
      or (v.bank_amount is null) <> (v.state = 'verified')
      or v.state <> 'differs' and v.needs_review_at is not null)`,
    detail: sql`${approvalText} || ' ' || v.state`,
  },
  'has an open difference that is not in manual review': {
    where: sql`v.state = 'differs' and v.needs_review_at is null
      and not exists (select from payments where merchant_id = ${checkedMerchantId} and id = v.payment_id
        and refund_id is not null)
      and not exists (select from modifications where merchant_id = ${checkedMerchantId} and payment_id = v.payment_id
        and kind = 'refund' and refund_id is null and state = 'doing')`,
    detail: approvalText,
  },
  'has money left in the differences account, but its differences are settled and none was accepted': {
    within: (range) => sql`(select v.merchant_id, v.payment_id from ${verificationRows.within(range)}
      where v.bank_amount is not null group by v.merchant_id, v.payment_id
      having bool_and(v.state = 'settled')) as v`,
    join: sql`join lateral (select sum(case when credit = 'differences' then amount else -amount end) as sum from ledger_transfers
      where merchant_id = ${checkedMerchantId} and payment_id = v.payment_id and 'differences' in (debit, credit)) as l on true`,
    where: sql`l.sum <> 0 and not exists (select from bank_calls where merchant_id = ${checkedMerchantId}
      and payment_id = v.payment_id and operation = 'manual' and outcome = 'accept')`,
    detail: sql`round(l.sum / 100.0, 2)::text`,
  },
  'has a difference without an event that names both amounts': {
    where: sql`v.bank_amount is not null and not exists (select from events
      where merchant_id = ${checkedMerchantId} and payment_id = v.payment_id and kind like '%.amount_differs'
        and data -> 'difference' @> jsonb_build_object('operation', v.kind, 'requested_amount', v.amount,
          'bank_amount', v.bank_amount, 'currency_code', v.currency))`,
    detail: approvalText,
  },
})

export const differenceEventChecks = checksOf(eventRows, {
  'has more or fewer difference events than differences': {
    within: (
      range,
    ) => sql`(select e.merchant_id, e.payment_id, count(*) as events, (select count(*) from verifications v
        where v.merchant_id = ${checkedMerchantId} and v.payment_id = e.payment_id and v.bank_amount is not null) as differences
      from ${eventRows.within(range)} where e.kind like '%.amount_differs' group by e.merchant_id, e.payment_id) as e`,
    where: sql`e.events <> e.differences`,
    detail: sql`e.events || ' events, ' || e.differences || ' differences'`,
  },
})
