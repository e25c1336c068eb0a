import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { PaymentIdRange } from '../ledger/index.ts'
import type { IntegrityCheck } from './payments.sql.ts'

/**
 * Checks between approvals without a proven amount, their attempts and modifications, and the events of
 * differences.
 */
export const verificationIntegrityChecks: IntegrityCheck[] = [
  {
    what: 'has a verification that does not match its approval',
    where: (
      range,
    ) => sql`select v.merchant_id, v.payment_id, ${approvalText} || ' of ' || round(v.amount / 100.0, 2) as detail
      from ${verificationsOf(range)}
        left join lateral (select payment_id, state, charged, currency, pos_id, pre_auth from payment_attempts
          where merchant_id = v.merchant_id and id = v.attempt_id limit 1) as a on true
        left join lateral (select kind, state, amount, attempt_id from modifications
          where merchant_id = v.merchant_id and id = v.modification_id limit 1) as d on true
      where a.state is distinct from 'approved' or a.payment_id <> v.payment_id or a.currency <> v.currency
        or a.pos_id <> v.pos_id or case when v.modification_id is null
          then v.id <> v.attempt_id or v.amount <> a.charged or v.kind <> case when a.pre_auth then 'hold' else 'charge' end
          else v.id <> v.modification_id or v.amount is distinct from d.amount or v.kind is distinct from d.kind
            or d.state <> 'done' or d.attempt_id <> v.attempt_id end`,
  },
  {
    what: 'has an unverified approval without a due time, or with an end time or a bank amount',
    where: (
      range,
    ) => sql`select v.merchant_id, v.payment_id, ${approvalText} as detail from ${verificationsOf(range)}
      where v.state = 'unverified' and (v.due_at is null or v.ended_at is not null or v.bank_amount is not null)`,
  },
  {
    what: 'has a verified or differing approval without the source or the time of its verification',
    where: (range) => sql`select v.merchant_id, v.payment_id, ${approvalText} || ' ' || v.state as detail
      from ${verificationsOf(range)}
      where v.state <> 'unverified' and (v.due_at is not null or v.ended_at is null or v.source is null
        or (v.bank_amount is null) <> (v.state = 'verified')
        or v.state <> 'differs' and v.needs_review_at is not null)`,
  },
  {
    what: 'has an open difference that is not in manual review',
    where: (
      range,
    ) => sql`select v.merchant_id, v.payment_id, ${approvalText} as detail from ${verificationsOf(range)}
      where v.state = 'differs' and v.needs_review_at is null
        and not exists (select from payments where merchant_id = v.merchant_id and id = v.payment_id
          and refund_id is not null)
        and not exists (select from modifications where merchant_id = v.merchant_id and payment_id = v.payment_id
          and kind = 'refund' and refund_id is null and state = 'doing')`,
  },
  {
    what: 'has money left in the differences account, but its differences are settled and none was accepted',
    where: (range) => sql`select v.merchant_id, v.payment_id, round(t.sum / 100.0, 2)::text as detail
      from (select v.merchant_id, v.payment_id from ${verificationsOf(range)}
          where v.bank_amount is not null group by v.merchant_id, v.payment_id having bool_and(v.state = 'settled')) as v
        join lateral (select sum(case when credit = 'differences' then amount else -amount end) as sum from ledger_transfers
          where merchant_id = v.merchant_id and payment_id = v.payment_id and 'differences' in (debit, credit)) as t on true
      where t.sum <> 0 and not exists (select from bank_calls where merchant_id = v.merchant_id
        and payment_id = v.payment_id and operation = 'manual' and outcome = 'accept')`,
  },
  {
    what: 'has an attempt whose bank amount differs from the amount that the verification found',
    where: (range) => sql`select a.merchant_id, a.payment_id, 'attempt ' || a.id || ': '
          || coalesce(round(a.bank_charged / 100.0, 2)::text, 'as requested') || '; expected: '
          || coalesce(round(v.bank_amount / 100.0, 2)::text, 'as requested') as detail
      from ${attemptsOf(range)} left join lateral (select bank_amount from verifications
        where merchant_id = a.merchant_id and payment_id = a.payment_id and attempt_id = a.id
          and kind in ('charge', 'capture') and bank_amount is not null limit 1) as v on true
      where a.bank_charged is distinct from v.bank_amount`,
  },
  {
    what: 'has a difference without an event that names both amounts',
    where: (range) => sql`select v.merchant_id, v.payment_id, ${approvalText} as detail
      from ${verificationsOf(range)} join lateral (select count(*) as count from events
        where merchant_id = v.merchant_id and payment_id = v.payment_id and kind like '%.amount_differs'
          and data -> 'difference' @> jsonb_build_object('operation', v.kind, 'requested_amount', v.amount,
            'bank_amount', v.bank_amount, 'currency_code', v.currency)) as announced on true
      where v.bank_amount is not null and announced.count = 0`,
  },
  {
    what: 'has more or fewer difference events than differences',
    where: (
      range,
    ) => sql`select found.merchant_id, found.payment_id, found.events || ' events, ' || found.count
          || ' differences' as detail
      from (select e.merchant_id, e.payment_id, count(*) as events, (select count(*) from verifications v
          where v.merchant_id = e.merchant_id and v.payment_id = e.payment_id and v.bank_amount is not null) as count
        from ${eventsOf(range)} group by e.merchant_id, e.payment_id) as found
      where found.events <> found.count`,
  },
]

const approvalText = sql`v.kind || ' by ' || case when v.modification_id is null then 'attempt ' else 'modification ' end || v.id`

function isWithin({ behind, upTo }: PaymentIdRange): SqlFragment {
  return sql`payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint`
}

function verificationsOf(range: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, payment_id, attempt_id, modification_id, pos_id, kind, amount, bank_amount, currency, state,
      ended_at, source, due_at, needs_review_at from verifications
    where merchant_id = ${range.merchantId} and ${isWithin(range)}) as v`
}

function attemptsOf(range: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, payment_id, bank_charged from payment_attempts
    where merchant_id = ${range.merchantId} and ${isWithin(range)}) as a`
}

function eventsOf(range: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, payment_id from events
    where merchant_id = ${range.merchantId} and ${isWithin(range)} and kind like '%.amount_differs') as e`
}
