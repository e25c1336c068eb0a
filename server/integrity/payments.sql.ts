import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'
import { isMalformed } from '../ledger/index.ts'
import {
  attemptStates,
  heldStates,
  maxAttempts,
  paidStates,
  paymentStates,
} from '../payments/for-integrity.ts'
import type { IntegrityCheck } from './integrity-check.sql.ts'
import {
  attemptRows,
  checkedMerchantId,
  checksOf,
  eventRows,
  modificationRows,
  paymentRows,
  refundRows,
  transferRows,
} from './integrity-check.sql.ts'

/** States of a payment whose amount was taken. */
export const paid = join(paidStates)

/** States of a payment whose amount is held. */
const held = join(heldStates)

const underWay = sql`'authenticating', 'authorizing', 'reversing'`

/** The payment of a row with the alias `of`. */
const itsPayment = (of: SqlFragment) => sql`lateral (select * from payments
  where merchant_id = ${checkedMerchantId} and id = ${of}.payment_id limit 1) as p on true`

export const itsAttempt = sql`lateral (select * from payment_attempts
  where merchant_id = ${checkedMerchantId} and id = p.attempt_id limit 1) as a on true`

const itsAttempts = sql`lateral (select count(*) as count, min(number) as first, max(number) as last
  from payment_attempts where merchant_id = ${checkedMerchantId} and payment_id = p.id) as a on true`

const itsApprovedAttempts = sql`lateral (select count(*) as count, min(id) as first_id from payment_attempts
  where merchant_id = ${checkedMerchantId} and payment_id = p.id and state = 'approved') as a on true`

const attemptText = sql`'attempt ' || t.id`

/** Checks of transfers. */
export const transferChecks = checksOf(transferRows, {
  'has a malformed transfer': {
    where: isMalformed,
    detail: sql`'transfer ' || id || ': ' || round(amount / 100.0, 2) || ' ' || currency || ' (debit ' || debit
      || ', credit ' || credit || ')' || ', ' || reason || ', cause ' || cause`,
  },
  'has transfers in several currencies': {
    within: (range) => sql`(select l.merchant_id, l.payment_id, count(distinct currency) as count,
        string_agg(distinct currency, ', ') as currencies
      from ${transferRows.within(range)} group by l.merchant_id, l.payment_id) as l`,
    where: sql`l.count > 1`,
    detail: sql`l.currencies`,
  },
})

/** Checks of rows that refer to a payment. The database does not check that it exists when they are written. */
export const existenceChecks = [
  { noun: 'transfer', rows: transferRows },
  { noun: 'attempt', rows: attemptRows },
  { noun: 'event', rows: eventRows },
].flatMap(({ noun, rows }) =>
  checksOf(rows, {
    [`has ${noun}s, but does not exist`]: {
      join: sql`left join ${itsPayment(rows.alias)}`,
      where: sql`p.id is null`,
      detail: sql`${`${noun} `}::text || ${rows.alias}.id`,
    },
  }),
)

/** True if the payment `p` can have reached its state only by an approval. */
const isByApproval = sql`(p.state in (${paid}, ${held}) or p.state = 'failed' and p.resolution is not null)`

/** Checks of payments, with their attempts. The database does not check the words when they are written. */
export const paymentChecks = checksOf(paymentRows, {
  'is in an unknown state': {
    where: sql`p.state not in (${join(paymentStates)})`,
    detail: sql`p.state`,
  },
  'is or was paid or held, but does not name its only approved attempt': {
    join: sql`join ${itsApprovedAttempts}`,
    where: sql`${isByApproval} and (a.count <> 1 or p.attempt_id is distinct from a.first_id)`,
    detail: sql`a.count || ' approved'`,
  },
  'was neither paid nor held, but has an approved attempt': {
    join: sql`join ${itsApprovedAttempts}`,
    where: sql`not ${isByApproval} and a.count > 0`,
    detail: sql`p.state || ', attempt ' || a.first_id`,
  },
  'waits for an attempt that is not under way': {
    join: sql`left join ${itsAttempt}`,
    where: sql`p.state in (${underWay}) and (a.state is distinct from p.state or a.payment_id <> p.id)`,
    detail: sql`p.state || ', attempt ' || coalesce(a.state, 'missing')`,
  },
  'has attempts that are not numbered from 1 to its count': {
    join: sql`join ${itsAttempts}`,
    where: sql`(a.count <> p.attempt_count or a.first <> 1 or a.last <> a.count)`,
    detail: sql`a.count || ' attempts, counted ' || p.attempt_count`,
  },
  'has more attempts than allowed': {
    where: sql`p.attempt_count > ${maxAttempts}`,
    detail: sql`p.attempt_count || ' attempts'`,
  },
  'is held instead of paid, or paid instead of held': {
    where: sql`(p.state in (${held}) and not p.pre_auth
      or p.state in (${paid}) and p.pre_auth and p.resolution is distinct from 'capture')`,
    detail: sql`p.state || case when p.pre_auth then ', pre-authorization' else ', sale' end`,
  },
  'has an end time that does not match its state': {
    where: sql`(p.ended_at is not null) <> (p.state in (${paid}, ${held}, 'failed', 'expired'))`,
    detail: sql`p.state`,
  },
  'waits for its payer without a due time': {
    where: sql`p.state in ('open', 'authenticating') and p.due_at is null`,
    detail: sql`p.state`,
  },
  'waits for the bank, but has a due time of its own': {
    where: sql`p.due_at is not null and p.state in ('authorizing', 'reversing')`,
    detail: sql`p.state`,
  },
  'waits for nothing, but still has a due time': {
    where: sql`p.due_at is not null and p.state in (${paid}, 'capturing', 'releasing', 'failed', 'expired')`,
    detail: sql`p.state`,
  },
})

/**
 * True if a call about the attempt `t` reported that its amount was charged, or held for a pre-authorization.
 */
const isApproval = sql`operation = case when t.pre_auth then 'pre_authorize' else 'authorize' end
    and outcome = 'approved'
  or operation = 'inquiry' and outcome = case when t.pre_auth then 'held' else 'taken' end
  or operation = 'manual' and outcome = 'taken'`

const itsCalls = sql`from bank_calls where merchant_id = ${checkedMerchantId} and attempt_id = t.id`

/** Checks of attempts, with their payment and their calls. */
export const attemptChecks = checksOf(attemptRows, {
  'has an attempt in an unknown state': {
    where: sql`t.state not in (${join(attemptStates)})`,
    detail: sql`${attemptText} || ' ' || t.state`,
  },
  // Attempts in `reversing` are allowed: a late charge is reversed whatever the state of its payment.
  'does not wait for an attempt that is under way': {
    join: sql`join ${itsPayment(sql`t`)}`,
    where: sql`t.state in ('authenticating', 'authorizing') and (p.state <> t.state or p.attempt_id is distinct from t.id)`,
    detail: sql`p.state || ', ' || ${attemptText} || ' ' || t.state`,
  },
  // A commission is added to the payer's charge only for installments, and only if the payer bears it.
  'has an attempt that charges a wrong amount': {
    join: sql`join ${itsPayment(sql`t`)} left join lateral (select commission_by from commission_rates
      where merchant_id = ${checkedMerchantId} and id = t.commission_id limit 1) as r on true`,
    where: sql`(t.charged < p.amount or t.charged > p.amount
      and (t.installment = 1 or r.commission_by is distinct from 2))`,
    detail: sql`${attemptText} || ' charges ' || round(t.charged / 100.0, 2) || ' ' || t.currency
      || ' for ' || round(p.amount / 100.0, 2) || ' ' || p.currency`,
  },
  'has an attempt that charges instead of holding, or holds instead of charging': {
    join: sql`join ${itsPayment(sql`t`)}`,
    where: sql`t.pre_auth <> p.pre_auth`,
    detail: attemptText,
  },
  'has an approved attempt without evidence from the bank or a manual review': {
    where: sql`t.state = 'approved' and not exists (select ${itsCalls} and (${isApproval}))`,
    detail: attemptText,
  },
  'has an attempt that the bank approved, but that neither counts as approved nor was undone': {
    where: sql`t.state in ('declined', 'abandoned') and exists (select ${itsCalls}
      and operation in ('authorize', 'pre_authorize') and outcome = 'approved')`,
    detail: sql`${attemptText} || ' ' || t.state`,
  },
  'has an attempt for which the bank was asked for the money more than once': {
    where: sql`(select count(*) ${itsCalls} and operation in ('authorize', 'pre_authorize')) > 1`,
    detail: attemptText,
  },
  'has an attempt that waits for the bank without a due time': {
    where: sql`t.state in ('authorizing', 'reversing') and t.due_at is null`,
    detail: sql`${attemptText} || ' ' || t.state`,
  },
  'has a stored card of an attempt that is not in authentication': {
    where: sql`t.state <> 'authenticating' and exists (select from sealed_cards
      where merchant_id = ${checkedMerchantId} and attempt_id = t.id)`,
    detail: sql`${attemptText} || ' ' || t.state`,
  },
  'has an approved attempt that still has a due time': {
    where: sql`t.state = 'approved' and t.due_at is not null`,
    detail: attemptText,
  },
  'has an attempt whose bank amount differs from the amount that the verification found': {
    join: sql`left join lateral (select bank_amount from verifications
      where merchant_id = ${checkedMerchantId} and payment_id = t.payment_id and attempt_id = t.id
        and kind in ('charge', 'capture') and bank_amount is not null limit 1) as v on true`,
    where: sql`t.bank_charged is distinct from v.bank_amount`,
    detail: sql`${attemptText} || ': ' || coalesce(round(t.bank_charged / 100.0, 2)::text, 'as requested')
      || '; expected: ' || coalesce(round(v.bank_amount / 100.0, 2)::text, 'as requested')`,
  },
})

/** Checks of every kind of row with a currency of its own. */
export const currencyChecks = [
  { noun: 'a transfer', rows: transferRows },
  { noun: 'an attempt', rows: attemptRows },
  { noun: 'a refund', rows: refundRows },
].flatMap(({ noun, rows }) =>
  checksOf(rows, {
    [`has ${noun} in a currency other than its own`]: {
      join: sql`join ${itsPayment(rows.alias)}`,
      where: sql`${rows.alias}.currency <> p.currency`,
      detail: sql`${noun.split(' ')[1]}::text || ' ' || ${rows.alias}.id || ' in ' || ${rows.alias}.currency
        || ', the payment in ' || p.currency`,
    },
  }),
)

/** Checks of every kind of row that names an instrument. */
export const instrumentChecks = [
  { noun: 'an attempt', rows: attemptRows },
  { noun: 'a refund', rows: refundRows },
].flatMap(({ noun, rows }) =>
  checksOf(rows, {
    [`has ${noun} whose instrument is missing`]: {
      where: sql`not exists (select from instruments i where i.merchant_id = ${checkedMerchantId}
        and i.fingerprint = ${rows.alias}.instrument_fingerprint)`,
      detail: sql`'id ' || ${rows.alias}.id`,
    },
  }),
)

/** Warnings of work that is due since a time. */
export function overdueChecks(since: Date): IntegrityCheck[] {
  const dueText = (at: SqlFragment) =>
    sql`', due at ' || to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  const checks = [
    checksOf(paymentRows, {
      'is overdue by more than an hour and not in manual review': {
        join: sql`left join ${itsAttempt}`,
        where: sql`p.state in (${underWay}) and a.needs_review_at is null
          and coalesce(a.due_at, p.due_at, '-infinity') < ${since}`,
        detail: sql`p.state || coalesce(${dueText(sql`coalesce(a.due_at, p.due_at)`)}, '')`,
      },
      'is held, and its deadline passed more than an hour ago': {
        where: sql`p.state = 'held' and p.due_at < ${since}`,
        detail: sql`p.state || ${dueText(sql`p.due_at`)}`,
      },
    }),
    checksOf(modificationRows, {
      'has a modification that is overdue by more than an hour and not in manual review': {
        where: sql`d.state = 'doing' and d.needs_review_at is null and d.due_at < ${since}`,
        detail: sql`d.kind || ' by modification ' || d.id || ${dueText(sql`d.due_at`)}`,
      },
    }),
    checksOf(refundRows, {
      'has a refund whose review is overdue by more than an hour': {
        where: sql`r.state = 'under_review' and r.due_at < ${since}`,
        detail: sql`'refund ' || r.id || ${dueText(sql`r.due_at`)}`,
      },
    }),
  ]
  return checks.flat().map((check) => ({ ...check, isWarning: true }))
}
