import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, raw, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { IntegrityViolation, PaymentIdRange } from '../ledger/index.ts'
import type { PaymentState } from '../payments/for-integrity.ts'
import { heldStates, paidStates } from '../payments/for-integrity.ts'
import type { VerificationKind } from '../payments/index.ts'

/** The first merchant with payments whose id is greater than `behind`. */
export async function nextMerchantWithPayments(database: Sql, behind: number): Promise<number | undefined> {
  const { id } = await database.one<{ id: number | null }>(
    sql`select min(merchant_id) as id from payments where merchant_id > ${behind}`,
  )
  return id ?? undefined
}

/**
 * The last payment id of the range that begins after `behind`; undefined if fewer than `size` payments are
 * left.
 */
export async function lastPaymentIdOfRange(
  database: Sql,
  { merchantId, behind }: Pick<PaymentIdRange, 'merchantId' | 'behind'>,
  size: number,
): Promise<number | undefined> {
  const last = await database.maybe<{ id: number }>(sql`select id from payments
    where merchant_id = ${merchantId} and id > ${behind}::bigint order by id offset ${size - 1} limit 1`)
  return last?.id
}

export async function countPaymentsInIdRange(database: Sql, range: PaymentIdRange): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    unprepared(sql`select count(*)::integer as count from ${paymentsInIdRangePart(range)}`),
  )
  return count
}

/** A condition that must not occur, with the query that finds it in a range. */
export interface IntegrityCheck {
  what: string
  /** A warning is no violation: the condition can end without intervention. */
  isWarning?: true
  /** Returns the columns merchant_id, payment_id and detail. */
  where(range: PaymentIdRange): SqlFragment
}

/** The first violations of a check in a range. */
export function runIntegrityCheck(
  database: Sql,
  check: IntegrityCheck,
  range: PaymentIdRange,
  limit: number,
): Promise<IntegrityViolation[]> {
  return database.many<IntegrityViolation>(
    unprepared(sql`select merchant_id as "merchantId", payment_id as "paymentId", detail,
        count(*) over ()::integer as total
      from (${check.where(range)}) as found order by merchant_id, payment_id limit ${limit}`),
  )
}

/**
 * Checks between payments, their attempts, their transfers and their events, one query each. The queries look
 * up related rows by key, row by row, so their time grows with the range and does not depend on planner
 * statistics.
 */
export function paymentIntegrityChecks(overdueSince: Date): IntegrityCheck[] {
  return [
    ...checksOfTransfers,
    ...checksOfAttempts,
    ...checksOfInstruments,
    ...checksOfCounts,
    ...checksOfEvidence,
    ...checksOfTimes,
    {
      what: 'is overdue by more than an hour and not in manual review',
      isWarning: true,
      where: (range) => sql`select p.merchant_id, p.id as payment_id, p.state || coalesce(', due at '
          || to_char(coalesce(a.due_at, p.due_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') as detail
        from ${paymentsInIdRangePart(range)} left join ${itsAttempt} on true
        where p.state in (${underWay}) and a.needs_review_at is null
          and coalesce(a.due_at, p.due_at, '-infinity') < ${overdueSince}`,
    },
  ]
}

const underWay = sql`'authenticating', 'authorizing', 'reversing'`

/** States of a payment whose amount was taken. */
export const paid = join(paidStates.map((state) => sql`${state}`))

/** States of a payment whose amount is held. */
const held = join(heldStates.map((state) => sql`${state}`))

const itsPayment = (
  of: SqlFragment,
) => sql`lateral (select id, state, currency, amount, pre_auth, attempt_id from payments
  where merchant_id = ${of}.merchant_id and id = ${of}.payment_id limit 1) as p`

const itsAttempt = sql`lateral (select id, payment_id, state, due_at, needs_review_at, charged, commission, currency
  from payment_attempts where merchant_id = p.merchant_id and id = p.attempt_id limit 1) as a`

const itsAttempts = sql`lateral (select count(*) as count, min(number) as first, max(number) as last
  from payment_attempts where merchant_id = p.merchant_id and payment_id = p.id) as a`

const itsApprovedAttempts = sql`lateral (select count(*) as count, min(id) as first_id from payment_attempts
  where merchant_id = p.merchant_id and payment_id = p.id and state = 'approved') as a`

const checksOfTransfers: IntegrityCheck[] = [
  {
    what: 'has transfers, but does not exist',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'transfer ' || t.id as detail
      from ${transfersOf(range)} left join ${itsPayment(sql`t`)} on true where p.id is null`,
  },
  {
    what: 'has a transfer in a currency other than its own',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'transfer ' || t.id || ' in ' || t.currency
        || ', the payment in ' || p.currency as detail
      from ${transfersOf(range)} join ${itsPayment(sql`t`)} on true where t.currency <> p.currency`,
  },
]

/** True if the payment `p` can have reached its state only by an approval. */
const isByApproval = sql`(p.state in (${paid}, ${held}) or p.state = 'failed' and p.resolution is not null)`

const checksOfAttempts: IntegrityCheck[] = [
  {
    what: 'is or was paid or held, but does not name its only approved attempt',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, a.count || ' approved' as detail
      from ${paymentsInIdRangePart(range)} join ${itsApprovedAttempts} on true
      where ${isByApproval} and (a.count <> 1 or p.attempt_id is distinct from a.first_id)`,
  },
  {
    what: 'was neither paid nor held, but has an approved attempt',
    where: (
      range,
    ) => sql`select p.merchant_id, p.id as payment_id, p.state || ', attempt ' || a.first_id as detail
      from ${paymentsInIdRangePart(range)} join ${itsApprovedAttempts} on true
      where not ${isByApproval} and a.count > 0`,
  },
  {
    what: 'waits for an attempt that is not under way',
    where: (range) => sql`select p.merchant_id, p.id as payment_id,
        p.state || ', attempt ' || coalesce(a.state, 'missing') as detail
      from ${paymentsInIdRangePart(range)} left join ${itsAttempt} on true
      where p.state in (${underWay}) and (a.state is distinct from p.state or a.payment_id <> p.id)`,
  },
  {
    // Attempts in `reversing` are allowed: a late charge is reversed whatever the state of its payment.
    what: 'does not wait for an attempt that is under way',
    where: (range) => sql`select t.merchant_id, t.payment_id,
        p.state || ', attempt ' || t.id || ' ' || t.state as detail
      from ${attemptsOf(range)} join ${itsPayment(sql`t`)} on true
      where t.state in ('authenticating', 'authorizing') and (p.state <> t.state or p.attempt_id is distinct from t.id)`,
  },
  {
    what: 'has an attempt in a currency other than its own',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'attempt ' || t.id || ' in ' || t.currency
        || ', the payment in ' || p.currency as detail
      from ${attemptsOf(range)} join ${itsPayment(sql`t`)} on true where t.currency <> p.currency`,
  },
  {
    // A commission is added to the payer's charge only for installments, and only if the payer bears it.
    what: 'has an attempt that charges a wrong amount',
    where: (range) => sql`select t.merchant_id, t.payment_id,
        'attempt ' || t.id || ' charges ' || round(t.charged / 100.0, 2) || ' ' || t.currency
          || ' for ' || round(p.amount / 100.0, 2) || ' ' || p.currency as detail
      from ${attemptsOf(range)} join ${itsPayment(sql`t`)} on true
        left join lateral (select commission_by from commission_rates
          where merchant_id = t.merchant_id and id = t.commission_id limit 1) as r on true
      where t.charged < p.amount or t.charged > p.amount
        and (t.installment = 1 or r.commission_by is distinct from 2)`,
  },
]

const checksOfInstruments: IntegrityCheck[] = ['payment_attempts', 'refunds'].map((table) => ({
  what: `has ${table === 'refunds' ? 'a refund' : 'an attempt'} whose instrument is missing`,
  where: ({ merchantId, behind, upTo }) => sql`select merchant_id, payment_id, 'id ' || id as detail
    from ${raw(table)} t where merchant_id = ${merchantId} and payment_id > ${behind}::bigint
      and payment_id <= ${upTo}::bigint and not exists (select from instruments i
        where i.merchant_id = ${merchantId} and i.fingerprint = t.instrument_fingerprint)`,
}))

const checksOfCounts: IntegrityCheck[] = [
  {
    what: 'has attempts that are not numbered from 1 to its count',
    where: (range) => sql`select p.merchant_id, p.id as payment_id,
        a.count || ' attempts, counted ' || p.attempt_count as detail
      from ${paymentsInIdRangePart(range)} join ${itsAttempts} on true
      where a.count <> p.attempt_count or a.first <> 1 or a.last <> a.count`,
  },
  {
    what: 'is held instead of paid, or paid instead of held',
    where: (range) => sql`select p.merchant_id, p.id as payment_id,
        p.state || case when p.pre_auth then ', pre-authorization' else ', sale' end as detail
      from ${paymentsInIdRangePart(range)}
      where p.state in (${held}) and not p.pre_auth
        or p.state in (${paid}) and p.pre_auth and p.resolution is distinct from 'capture'`,
  },
  {
    what: 'has an attempt that charges instead of holding, or holds instead of charging',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'attempt ' || t.id as detail
      from ${attemptsOf(range)} join ${itsPayment(sql`t`)} on true where t.pre_auth <> p.pre_auth`,
  },
]

/**
 * True if a call about the attempt `t` reported that its amount was charged, or held for a pre-authorization.
 */
const isApproval = sql`operation = case when t.pre_auth then 'pre_authorize' else 'authorize' end
    and outcome = 'approved'
  or operation = 'inquiry' and outcome = case when t.pre_auth then 'held' else 'taken' end
  or operation = 'manual' and outcome = 'taken'`

const itsCalls = sql`from bank_calls where merchant_id = t.merchant_id and attempt_id = t.id`

const checksOfEvidence: IntegrityCheck[] = [
  {
    what: 'has an approved attempt without evidence from the bank or a manual review',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'attempt ' || t.id as detail
      from ${attemptsOf(range)}
      where t.state = 'approved' and not exists (select ${itsCalls} and (${isApproval}))`,
  },
  {
    what: 'has an attempt that the bank approved, but that neither counts as approved nor was undone',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'attempt ' || t.id || ' ' || t.state as detail
      from ${attemptsOf(range)}
      where t.state in ('declined', 'abandoned') and exists (select ${itsCalls}
        and operation in ('authorize', 'pre_authorize') and outcome = 'approved')`,
  },
]

const checksOfTimes: IntegrityCheck[] = [
  {
    what: 'waits for its payer without a due time',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, p.state as detail
      from ${paymentsInIdRangePart(range)} where p.state in ('open', 'authenticating') and p.due_at is null`,
  },
  {
    what: 'waits for nothing, but still has a due time',
    where: (range) => sql`select p.merchant_id, p.id as payment_id, p.state as detail
      from ${paymentsInIdRangePart(range)} where p.due_at is not null
        and p.state in (${paid}, 'capturing', 'releasing', 'failed', 'expired')`,
  },
  {
    what: 'has an approved attempt that still has a due time',
    where: (range) => sql`select t.merchant_id, t.payment_id, 'attempt ' || t.id as detail
      from ${attemptsOf(range)} where t.state = 'approved' and t.due_at is not null`,
  },
]

/** A payment that is paid or has transfers, with its approved attempt. */
export interface PaymentWithTransfers {
  merchantId: number
  paymentId: number
  state: PaymentState
  amountMinor: number
  attempt: { chargedMinor: number; commissionMinor: number; currency: string } | null
  transfers: TransferTuple[]
  /** Approvals for which the bank has a different amount. */
  differences: AmountDifferenceTuple[]
  returns: RefundModificationTuple[]
  /**
   * In the order of the requests. Only one refund is open at a time, so this is also the order of execution.
   */
  refunds: RefundTuple[]
}

export type RefundTuple = [
  id: number,
  state: string,
  amountMinor: number,
  chargedMinor: number,
  commissionMinor: number,
]

export type AmountDifferenceTuple = [
  id: number,
  kind: VerificationKind,
  amountMinor: number,
  bankAmountMinor: number,
  refundId: number | null,
]

/** A completed refund modification, with the amount of its refund if it has one. */
export type RefundModificationTuple = [
  id: number,
  refundId: number | null,
  amountMinor: number,
  refundMinor: number,
]

export type TransferTuple = [
  cause: string,
  reason: string,
  currency: string,
  debit: string,
  credit: string,
  amountMinor: number,
]

export function paymentsWithTransfersInIdRange(
  database: Sql,
  range: PaymentIdRange,
): Promise<PaymentWithTransfers[]> {
  return database.many<PaymentWithTransfers>(
    unprepared(sql`select p.merchant_id as "merchantId", p.id as "paymentId", p.state, p.amount as "amountMinor",
        case when a.id is not null then json_build_object('chargedMinor', a.charged,
          'commissionMinor', a.commission, 'currency', a.currency) end as attempt,
        coalesce(t.transfers, '[]') as transfers, coalesce(r.refunds, '[]') as refunds,
        coalesce(v.differences, '[]') as differences, coalesce(d.returns, '[]') as returns
      from ${paymentsInIdRangePart(range)} left join ${itsAttempt} on true
        join lateral (select json_agg(json_build_array(cause, reason, currency, debit, credit, amount)) as transfers
          from ledger_transfers where merchant_id = p.merchant_id and payment_id = p.id) as t on true
        join lateral (select json_agg(json_build_array(id, state, amount, charged, commission)
            order by requested_at, id) as refunds
          from refunds where merchant_id = p.merchant_id and payment_id = p.id) as r on true
        join lateral (select json_agg(json_build_array(v.id, v.kind, v.amount, v.bank_amount, d.refund_id)) as differences
          from verifications v left join modifications d on d.merchant_id = v.merchant_id and d.id = v.modification_id
          where v.merchant_id = p.merchant_id and v.payment_id = p.id and v.bank_amount is not null) as v on true
        join lateral (select json_agg(json_build_array(d.id, d.refund_id, d.amount, coalesce(r.charged, 0))) as returns
          from modifications d left join refunds r on r.merchant_id = d.merchant_id and r.id = d.refund_id
          where d.merchant_id = p.merchant_id and d.payment_id = p.id and d.kind = 'refund' and d.state = 'done') as d
          on true
      where p.state in (${paid}) or t.transfers is not null or r.refunds is not null
      order by p.id`),
  )
}

export function paymentsInIdRangePart({ merchantId, behind, upTo }: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, state, amount, currency, pre_auth, metadata, due_at, attempt_id, attempt_count,
      event_count, resolution, resolved_by, resolved_at, refunded, refund_id from payments
    where merchant_id = ${merchantId} and id > ${behind}::bigint and id <= ${upTo}::bigint) as p`
}

function transfersOf({ merchantId, behind, upTo }: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, payment_id, currency from ledger_transfers
    where merchant_id = ${merchantId} and payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint) as t`
}

function attemptsOf({ merchantId, behind, upTo }: PaymentIdRange): SqlFragment {
  return sql`(select merchant_id, id, payment_id, state, pre_auth, currency, charged, installment, commission_id, due_at
    from payment_attempts
    where merchant_id = ${merchantId} and payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint) as t`
}
