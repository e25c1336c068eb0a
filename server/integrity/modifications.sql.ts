import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import {
  checkedMerchantId,
  checksOf,
  modificationRows,
  paymentRows,
  refundRows,
} from './integrity-check.sql.ts'
import { paid } from './payments.sql.ts'

/**
 * Allowed states of the modifications of the pre-authorization `p`. Without a resolution there are no
 * modifications.
 */
const dueModifications = sql`case p.state || coalesce(' ' || p.resolution, '')
    when 'capturing capture' then array['capture doing']
    when 'releasing release' then array['release doing']
    when 'paid capture' then array['capture done']
    when 'partly_refunded capture' then array['capture done']
    when 'refunded capture' then array['capture done']
    when 'failed release' then array['release done']
    when 'failed capture' then array['capture refused, release doing', 'capture refused, release done']
    else case when p.resolution is null then array[''] else array[]::text[] end
  end`

const itsHoldModifications = sql`join lateral (select coalesce(string_agg(kind || ' ' || state, ', ' order by kind, id), '') as modifications
  from modifications where merchant_id = ${checkedMerchantId} and payment_id = p.id and kind <> 'refund') as d on true`

const itsRefunds = sql`join lateral (select count(*) as count,
    coalesce(sum(amount) filter (where state = 'executed'), 0) as given,
    array_agg(id order by id) filter (where state in ('under_review', 'approved')) as open
  from refunds where merchant_id = ${checkedMerchantId} and payment_id = p.id) as r on true`

/** Checks of payments, with their modifications and refunds. */
export const paymentModificationChecks = checksOf(paymentRows, {
  'has modifications that do not match its resolution': {
    join: itsHoldModifications,
    where: sql`(d.modifications <> all (${dueModifications}) or p.resolution is not null and not p.pre_auth)`,
    detail: sql`p.state || coalesce(', resolution ' || p.resolution, '') || ': '
      || coalesce(nullif(d.modifications, ''), 'no modification')`,
  },
  'was resolved, but who resolved it or when is not stored': {
    where: sql`((p.resolution is null) <> (p.resolved_by is null) or (p.resolution is null) <> (p.resolved_at is null))`,
    detail: sql`p.state`,
  },
  'has a refunded amount that differs from the sum of its executed refunds, or exceeds its amount': {
    join: itsRefunds,
    where: sql`(p.refunded <> r.given or r.given > p.amount)`,
    detail: sql`round(p.refunded / 100.0, 2) || ' of ' || round(p.amount / 100.0, 2)
      || '; expected: ' || round(r.given / 100.0, 2)`,
  },
  'is in a state that does not match its refunded amount': {
    where: sql`p.state is distinct from case when p.refunded = 0 then case when p.state not in ('partly_refunded', 'refunded')
      then p.state end when p.refunded < p.amount then 'partly_refunded' else 'refunded' end`,
    detail: sql`p.state || ', refunded ' || round(p.refunded / 100.0, 2) || ' of ' || round(p.amount / 100.0, 2)`,
  },
  'names the wrong open refund': {
    join: itsRefunds,
    where: sql`r.open is distinct from case when p.refund_id is not null then array[p.refund_id] end`,
    detail: sql`coalesce('refund ' || p.refund_id, 'none')
      || '; expected: ' || coalesce('refund ' || array_to_string(r.open, ', '), 'none')`,
  },
  'has refunds, but was never paid': {
    join: itsRefunds,
    where: sql`r.count > 0 and p.state not in (${paid})`,
    detail: sql`p.state || ', refunds: ' || r.count`,
  },
})

/** Checks of refunds, with their modification. */
export const refundChecks = checksOf(refundRows, {
  'has a refund whose modification is missing, or has the wrong state or amount': {
    join: sql`join lateral (select coalesce(string_agg(state || ' ' || round(amount / 100.0, 2), ', ' order by id), '')
        as modifications, coalesce(string_agg(state, ', '), '') as states, coalesce(max(amount), r.charged) as amount
      from modifications where merchant_id = ${checkedMerchantId} and payment_id = r.payment_id and refund_id = r.id) as d on true`,
    where: sql`(d.states <> case r.state when 'approved' then 'doing' when 'executed' then 'done'
        when 'failed' then 'refused' else '' end
      or d.amount <> r.charged and not ${isDiffering(sql`r`)})`,
    detail: sql`'refund ' || r.id || ' of ' || round(r.charged / 100.0, 2) || ' ' || r.state || ': '
      || coalesce(nullif(d.modifications, ''), 'no modification')`,
  },
  'has a refund whose review or end does not match its state': {
    where: sql`((r.state = 'under_review') <> (r.decided_at is null)
      or (r.decided_at is null) <> (r.decided_by is null) or (r.decided_at is null) <> (r.reason is null)
      or (r.state in ('executed', 'rejected', 'failed')) <> (r.ended_at is not null)
      or r.state <> 'under_review' and r.due_at is not null)`,
    detail: sql`'refund ' || r.id || ' ' || r.state`,
  },
})

const modificationText = sql`d.kind || ' by modification ' || d.id`

/** True if a bank call or an operator reported that the modification `d` is done. */
const isDoneResponse = sql`operation in ('capture', 'void', 'refund') and outcome = 'approved'
  or operation = 'inquiry' and outcome = any (case d.kind when 'capture' then array['taken']
    when 'release' then array['undone', 'absent', 'declined'] else array['undone', 'approved'] end)
  or operation = 'manual' and outcome = 'done'`

const isRefusedResponse = sql`operation in ('capture', 'void', 'refund') and outcome = 'declined'
  or operation = 'manual' and outcome = 'not_done'`

const itsCalls = sql`from bank_calls where merchant_id = ${checkedMerchantId} and modification_id = d.id`

/** Checks of captures, releases and refunds. */
export const modificationChecks = checksOf(modificationRows, {
  'has a modification that does not match its approved charge': {
    join: sql`left join lateral (select attempt_id from payments
        where merchant_id = ${checkedMerchantId} and id = d.payment_id limit 1) as p on true
      left join lateral (select * from payment_attempts
        where merchant_id = ${checkedMerchantId} and id = d.attempt_id limit 1) as a on true`,
    where: sql`(d.attempt_id is distinct from p.attempt_id or a.state <> 'approved' or a.pos_id <> d.pos_id
      or d.kind <> 'refund' and (d.amount <> a.charged or not a.pre_auth))`,
    detail: sql`${modificationText} || ' of ' || round(d.amount / 100.0, 2)
      || coalesce(', attempt ' || a.id || ' ' || a.state || ' of ' || round(a.charged / 100.0, 2), '')`,
  },
  'has a modification whose refund is missing or belongs to another payment': {
    join: sql`left join lateral (select id from refunds where merchant_id = ${checkedMerchantId} and id = d.refund_id
      and payment_id = d.payment_id limit 1) as r on true`,
    where: sql`case when d.kind <> 'refund' then d.refund_id is not null
      else r.id is null and not (d.refund_id is null and ${isDiffering(sql`d`)}) end`,
    detail: sql`${modificationText} || coalesce(', refund ' || d.refund_id, '')`,
  },
  'has a modification with a wrong sum of earlier refunds': {
    // The difference of an earlier refund may have been found before or after this modification began.
    within: (
      range,
    ) => sql`(select d.*, ${givenBefore(sql`least`)} as least_given, ${givenBefore(sql`greatest`)} as most_given
      from ${modificationRows.within(range)} left join lateral (select bank_amount from verifications
        where merchant_id = ${checkedMerchantId} and id = d.id limit 1) as v on true
      where d.kind = 'refund') as d`,
    where: sql`(d.prior_refunded < d.least_given or d.prior_refunded > d.most_given)`,
    detail: sql`${modificationText} || ': ' || round(d.prior_refunded / 100.0, 2)
      || '; expected: ' || round(d.least_given / 100.0, 2)`,
  },
  'has a done modification without evidence from the bank or a manual review': {
    where: sql`d.state = 'done' and not exists (select ${itsCalls} and (${isDoneResponse}))`,
    detail: modificationText,
  },
  'has a refused modification without evidence from the bank or a manual review': {
    where: sql`d.state = 'refused' and not exists (select ${itsCalls} and (${isRefusedResponse}))`,
    detail: modificationText,
  },
  'has a refused modification that the bank has executed': {
    where: sql`d.state = 'refused' and exists (select ${itsCalls} and (${isDoneResponse}))`,
    detail: modificationText,
  },
  'has an open modification without a due time, or with an end time': {
    where: sql`d.state = 'doing' and (d.due_at is null or d.ended_at is not null)`,
    detail: modificationText,
  },
  'has an ended modification that is still due or in review, or without an end time': {
    where: sql`d.state <> 'doing' and (d.due_at is not null or d.needs_review_at is not null or d.ended_at is null)`,
    detail: sql`${modificationText} || ' ' || d.state`,
  },
})

/** Sum refunded by the modifications before `d`: the lowest or the highest possible value. */
function givenBefore(which: SqlFragment): SqlFragment {
  return sql`coalesce(sum(${which}(d.amount, v.bank_amount)) filter (where d.state = 'done') over (partition by d.payment_id
    order by d.began_at, d.id rows between unbounded preceding and 1 preceding), 0)`
}

/** True if the bank has a different amount for any approval of the row's payment. */
function isDiffering(of: SqlFragment): SqlFragment {
  return sql`exists (select from verifications where merchant_id = ${checkedMerchantId} and payment_id = ${of}.payment_id
    and bank_amount is not null)`
}
