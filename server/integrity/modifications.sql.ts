import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { PaymentIdRange } from '../ledger/index.ts'
import type { IntegrityCheck } from './payments.sql.ts'
import { paid, paymentsInIdRangePart } from './payments.sql.ts'

/** Checks of captures, releases and refunds: between payments, modifications and refunds. */
export function modificationIntegrityChecks(overdueSince: Date): IntegrityCheck[] {
  return [
    ...paymentChecks,
    ...checksOfRefunds,
    ...checksOfModificationRows,
    ...checksOfEvidence,
    ...checksOfTimes,
    ...warnings(overdueSince),
  ]
}

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

const itsHoldModifications = sql`lateral (select coalesce(string_agg(kind || ' ' || state, ', ' order by kind, id), '') as modifications
  from modifications where merchant_id = p.merchant_id and payment_id = p.id and kind <> 'refund') as d`

const itsRefunds = sql`lateral (select count(*) as count,
    coalesce(sum(amount) filter (where state = 'executed'), 0) as given,
    array_agg(id order by id) filter (where state in ('under_review', 'approved')) as open
  from refunds where merchant_id = p.merchant_id and payment_id = p.id) as r`

const paymentChecks: IntegrityCheck[] = [
  {
    what: 'has modifications that do not match its resolution',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, p.state
          || coalesce(', resolution ' || p.resolution, '') || ': ' || coalesce(nullif(d.modifications, ''), 'no modification')
        as detail
      from ${paymentsInIdRangePart(range)} join ${itsHoldModifications} on true
      where d.modifications <> all (${dueModifications}) or p.resolution is not null and not p.pre_auth`,
  },
  {
    what: 'was resolved, but who resolved it or when is not stored',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, p.state as detail
      from ${paymentsInIdRangePart(range)}
      where (p.resolution is null) <> (p.resolved_by is null) or (p.resolution is null) <> (p.resolved_at is null)`,
  },
  {
    what: 'has a refunded amount that differs from the sum of its executed refunds, or exceeds its amount',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, round(p.refunded / 100.0, 2)
          || ' of ' || round(p.amount / 100.0, 2) || '; expected: ' || round(r.given / 100.0, 2) as detail
      from ${paymentsInIdRangePart(range)} join ${itsRefunds} on true
      where p.refunded <> r.given or r.given > p.amount`,
  },
  {
    what: 'is in a state that does not match its refunded amount',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, p.state || ', refunded '
          || round(p.refunded / 100.0, 2) || ' of ' || round(p.amount / 100.0, 2) as detail
      from ${paymentsInIdRangePart(range)}
      where p.state is distinct from case when p.refunded = 0 then case when p.state not in ('partly_refunded', 'refunded')
        then p.state end when p.refunded < p.amount then 'partly_refunded' else 'refunded' end`,
  },
  {
    what: 'names the wrong open refund',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, coalesce('refund ' || p.refund_id, 'none')
          || '; expected: ' || coalesce('refund ' || array_to_string(r.open, ', '), 'none') as detail
      from ${paymentsInIdRangePart(range)} join ${itsRefunds} on true
      where r.open is distinct from case when p.refund_id is not null then array[p.refund_id] end`,
  },
  {
    what: 'has refunds, but was never paid',
    where: (
      range,
    ) => sql`select p.merchant_id, p.id as payment_id, p.state || ', refunds: ' || r.count as detail
      from ${paymentsInIdRangePart(range)} join ${itsRefunds} on true where r.count > 0 and p.state not in (${paid})`,
  },
]

const checksOfRefunds: IntegrityCheck[] = [
  {
    what: 'has a refund whose modification is missing, or has the wrong state or amount',
    where: (range) => sql`select r.merchant_id, r.payment_id, 'refund ' || r.id || ' of '
          || round(r.charged / 100.0, 2) || ' ' || r.state || ': ' || coalesce(nullif(d.modifications, ''), 'no modification') as detail
      from ${refundsOf(range)} join lateral (select coalesce(string_agg(state || ' ' || round(amount / 100.0, 2), ', '
            order by id), '') as modifications, coalesce(string_agg(state, ', '), '') as states, coalesce(max(amount), r.charged)
            as amount
          from modifications where merchant_id = r.merchant_id and payment_id = r.payment_id and refund_id = r.id) as d on true
      where d.states <> case r.state when 'approved' then 'doing' when 'executed' then 'done'
          when 'failed' then 'refused' else '' end
        or d.amount <> r.charged and not ${isDiffering(sql`r`)}`,
  },
  {
    what: 'has a refund whose review or end does not match its state',
    where: (range) => sql`select r.merchant_id, r.payment_id, 'refund ' || r.id || ' ' || r.state as detail
      from ${refundsOf(range)}
      where (r.state = 'under_review') <> (r.decided_at is null)
        or (r.decided_at is null) <> (r.decided_by is null) or (r.decided_at is null) <> (r.reason is null)
        or (r.state in ('executed', 'rejected', 'failed')) <> (r.ended_at is not null)
        or r.state <> 'under_review' and r.due_at is not null`,
  },
  {
    what: 'has a refund in a currency other than its own',
    where: (range) => sql`select r.merchant_id, r.payment_id, 'refund ' || r.id || ' in ' || r.currency
        || ', the payment in ' || p.currency as detail
      from ${refundsOf(range)} join lateral (select currency from payments
        where merchant_id = r.merchant_id and id = r.payment_id limit 1) as p on true
      where r.currency <> p.currency`,
  },
]

const checksOfModificationRows: IntegrityCheck[] = [
  {
    what: 'has a modification that does not match its approved charge',
    where: (
      range,
    ) => sql`select d.merchant_id, d.payment_id, ${modificationText} || ' of ' || round(d.amount / 100.0, 2)
          || coalesce(', attempt ' || a.id || ' ' || a.state || ' of ' || round(a.charged / 100.0, 2), '') as detail
      from ${modificationsOf(range)}
        left join lateral (select attempt_id from payments
          where merchant_id = d.merchant_id and id = d.payment_id limit 1) as p on true
        left join lateral (select id, state, pos_id, charged, pre_auth from payment_attempts
          where merchant_id = d.merchant_id and id = d.attempt_id limit 1) as a on true
      where d.attempt_id is distinct from p.attempt_id or a.state <> 'approved' or a.pos_id <> d.pos_id
        or d.kind <> 'refund' and (d.amount <> a.charged or not a.pre_auth)`,
  },
  {
    what: 'has a modification whose refund is missing or belongs to another payment',
    where: (
      range,
    ) => sql`select d.merchant_id, d.payment_id, ${modificationText} || coalesce(', refund ' || d.refund_id, '')
        as detail
      from ${modificationsOf(range)}
        left join lateral (select id from refunds where merchant_id = d.merchant_id and id = d.refund_id
          and payment_id = d.payment_id limit 1) as r on true
      where case when d.kind <> 'refund' then d.refund_id is not null
        else r.id is null and not (d.refund_id is null and ${isDiffering(sql`d`)}) end`,
  },
  {
    what: 'has a modification with a wrong sum of earlier refunds',
    // The difference of an earlier refund may have been found before or after this modification began.
    where: (range) => sql`select merchant_id, payment_id, 'refund by modification ' || id || ': '
          || round(prior_refunded / 100.0, 2) || '; expected: ' || round(least_given / 100.0, 2) as detail
      from (select d.*, ${givenBefore(sql`least`)} as least_given, ${givenBefore(sql`greatest`)} as most_given
        from ${modificationsOf(range)} left join lateral (select bank_amount from verifications
          where merchant_id = d.merchant_id and id = d.id limit 1) as v on true
        where d.kind = 'refund') as each
      where prior_refunded < least_given or prior_refunded > most_given`,
  },
]

/** Sum refunded by the modifications before `d`: the lowest or the highest possible value. */
function givenBefore(which: SqlFragment): SqlFragment {
  return sql`coalesce(sum(${which}(d.amount, v.bank_amount)) filter (where d.state = 'done') over (partition by d.payment_id
    order by d.began_at, d.id rows between unbounded preceding and 1 preceding), 0)`
}

/** True if the bank has a different amount for any approval of the row's payment. */
function isDiffering(of: SqlFragment): SqlFragment {
  return sql`exists (select from verifications where merchant_id = ${of}.merchant_id and payment_id = ${of}.payment_id
    and bank_amount is not null)`
}

/** True if a bank call or an operator reported that the modification `d` is done. */
const isDoneResponse = sql`operation in ('capture', 'void', 'refund') and outcome = 'approved'
  or operation = 'inquiry' and outcome = any (case d.kind when 'capture' then array['taken']
    when 'release' then array['undone', 'absent', 'declined'] else array['undone', 'approved'] end)
  or operation = 'manual' and outcome = 'done'`

const isRefusedResponse = sql`operation in ('capture', 'void', 'refund') and outcome = 'declined'
  or operation = 'manual' and outcome = 'not_done'`

const itsCalls = sql`from bank_calls where merchant_id = d.merchant_id and modification_id = d.id`

const checksOfEvidence: IntegrityCheck[] = [
  {
    what: 'has a done modification without evidence from the bank or a manual review',
    where: (
      range,
    ) => sql`select d.merchant_id, d.payment_id, ${modificationText} as detail from ${modificationsOf(range)}
      where d.state = 'done' and not exists (select ${itsCalls} and (${isDoneResponse}))`,
  },
  {
    what: 'has a refused modification without evidence from the bank or a manual review',
    where: (
      range,
    ) => sql`select d.merchant_id, d.payment_id, ${modificationText} as detail from ${modificationsOf(range)}
      where d.state = 'refused' and not exists (select ${itsCalls} and (${isRefusedResponse}))`,
  },
  {
    what: 'has a refused modification that the bank has executed',
    where: (
      range,
    ) => sql`select d.merchant_id, d.payment_id, ${modificationText} as detail from ${modificationsOf(range)}
      where d.state = 'refused' and exists (select ${itsCalls} and (${isDoneResponse}))`,
  },
]

const checksOfTimes: IntegrityCheck[] = [
  {
    what: 'has an open modification without a due time, or with an end time',
    where: (
      range,
    ) => sql`select d.merchant_id, d.payment_id, ${modificationText} as detail from ${modificationsOf(range)}
      where d.state = 'doing' and (d.due_at is null or d.ended_at is not null)`,
  },
  {
    what: 'has an ended modification that is still due or in review, or without an end time',
    where: (range) => sql`select d.merchant_id, d.payment_id, ${modificationText} || ' ' || d.state as detail
      from ${modificationsOf(range)}
      where d.state <> 'doing' and (d.due_at is not null or d.needs_review_at is not null or d.ended_at is null)`,
  },
]

function warnings(overdueSince: Date): IntegrityCheck[] {
  const due = (at: SqlFragment) =>
    sql`', due at ' || to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  return [
    {
      what: 'has a modification that is overdue by more than an hour and not in manual review',
      isWarning: true,
      where: (
        range,
      ) => sql`select d.merchant_id, d.payment_id, ${modificationText} || ${due(sql`d.due_at`)} as detail
        from ${modificationsOf(range)}
        where d.state = 'doing' and d.needs_review_at is null and d.due_at < ${overdueSince}`,
    },
    {
      what: 'has a refund whose review is overdue by more than an hour',
      isWarning: true,
      where: (
        range,
      ) => sql`select r.merchant_id, r.payment_id, 'refund ' || r.id || ${due(sql`r.due_at`)} as detail
        from ${refundsOf(range)} where r.state = 'under_review' and r.due_at < ${overdueSince}`,
    },
    {
      what: 'is held, and its deadline passed more than an hour ago',
      isWarning: true,
      where: (
        range,
      ) => sql`select p.merchant_id, p.id as payment_id, p.state || ${due(sql`p.due_at`)} as detail
        from ${paymentsInIdRangePart(range)} where p.state = 'held' and p.due_at < ${overdueSince}`,
    },
  ]
}

const modificationText = sql`d.kind || ' by modification ' || d.id`

function modificationsOf({ merchantId, behind, upTo }: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, payment_id, attempt_id, pos_id, kind, refund_id, amount, prior_refunded, state,
      began_at, ended_at, due_at, needs_review_at from modifications
    where merchant_id = ${merchantId} and payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint) as d`
}

function refundsOf({ merchantId, behind, upTo }: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, payment_id, state, currency, charged, due_at, decided_at, decided_by, reason,
      ended_at from refunds
    where merchant_id = ${merchantId} and payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint) as r`
}
