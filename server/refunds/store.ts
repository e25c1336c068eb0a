import type { Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { empty, sql } from '../../kit/runtime/sql.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Instrument } from '../payments/for-refunds.ts'
import type { RefundPolicy } from './policy.ts'
import { defaultPolicyFor, refundPolicies } from './policy.ts'
import type { Refund } from './refund.ts'
import { refunds } from './refund.ts'

const refundColumns = sql`${refunds.omit('instrumentFingerprint').columns('r')},
  d.due_at as "nextBankCallAt", d.decline_reason as "declineReason"`

/** Joins to each refund `r` its modification while that is open. */
function joinedModification(merchantId: SqlFragment): SqlFragment {
  return sql`left join modifications d on d.merchant_id = ${merchantId} and d.payment_id = r.payment_id
    and d.kind = 'refund' and d.state = 'doing' and d.refund_id = r.id`
}

export function refundById(database: Sql, { merchantId, id }: OwnedId): Promise<Refund | undefined> {
  return database.maybe(sql`select ${refundColumns} from refunds r ${joinedModification(sql`${merchantId}`)}
    where r.merchant_id = ${merchantId} and r.id = ${id}`)
}

/**
 * Finds a refund by its id alone, as operators give it. Merchants are few, so the primary key is looked up
 * once for each.
 */
export function refundOfAnyMerchant(database: Sql, id: number): Promise<Refund | undefined> {
  return database.maybe(sql`select ${refundColumns} from merchants m
    join refunds r on r.merchant_id = m.id and r.id = ${id} ${joinedModification(sql`r.merchant_id`)}`)
}

/** Refunds of a payment, the newest first; with `behind`, only those after it in the list. */
export function refundsOfPayment(
  database: Sql,
  { merchantId, id }: OwnedId,
  { behind, limit }: { behind: { createdAt: Date; id: number } | undefined; limit: number },
): Promise<Refund[]> {
  const from = behind ? sql`and (r.requested_at, r.id) < (${behind.createdAt}, ${behind.id}::bigint)` : empty
  return database.many(sql`select ${refundColumns} from refunds r ${joinedModification(sql`${merchantId}`)}
    where r.merchant_id = ${merchantId} and r.payment_id = ${id} ${from}
    order by r.requested_at desc, r.id desc limit ${limit}`)
}

export async function countRefundsOfPayment(
  database: Sql,
  { merchantId, id }: OwnedId,
  limit: number,
): Promise<number> {
  const { count } = await database.one<{
    count: number
  }>(sql`select count(*)::int as count from (select from refunds
    where merchant_id = ${merchantId} and payment_id = ${id} limit ${limit}) as counted`)
  return count
}

/** Part of a transition: inserts the refund. */
export function insertRefundPart(refund: Refund, { fingerprint }: Pick<Instrument, 'fingerprint'>): Insert {
  return refunds.insert({ ...refund, instrumentFingerprint: fingerprint })
}

const changeable = refunds.pick(
  'state',
  'dueAt',
  'decidedBy',
  'decidedAt',
  'reason',
  'endedAt',
  'code',
  'message',
)

/**
 * CTE that updates a refund if the payment is updated. No version check needed: every refund step bumps the
 * payment's version. Storing violations bumps no version, so violations found while an operator decides are
 * kept.
 */
export function updateRefundPart(refund: Refund): SqlFragment {
  return sql`update refunds set ${changeable.assignments(refund)},
      violations = coalesce(nullif(${JSON.stringify(refund.violations)}::jsonb, '[]'), violations)
    where merchant_id = ${refund.merchantId} and id = ${refund.id} and exists (select from transition)`
}

/** Moves a refund to manual review and stores the rule violations. */
export async function leaveForManualReview(
  database: Sql,
  { merchantId, id, violations }: Refund,
): Promise<void> {
  await database.run(sql`update refunds set due_at = null, violations = ${JSON.stringify(violations)}::jsonb
    where merchant_id = ${merchantId} and id = ${id} and state = 'under_review'`)
}

/** Due times of reviews by rules until a time. */
export function dueRefundReviews(until: Date): SqlFragment {
  return sql`select merchant_id, due_at from refunds where due_at <= ${until}`
}

/** Refunds due for a review by rules, the longest due first. */
export function refundIdsDueForReview(database: Sql, now: Date, limit: number): Promise<OwnedId[]> {
  return database.many(sql`select merchant_id as "merchantId", id from refunds
    where due_at <= ${now} order by due_at, id limit ${limit}`)
}

export async function postponeRefundReview(
  database: Sql,
  { merchantId, id }: OwnedId,
  dueAt: Date,
): Promise<void> {
  await database.run(sql`update refunds set due_at = ${dueAt}
    where merchant_id = ${merchantId} and id = ${id} and due_at < ${dueAt}`)
}

/** Sum of the merchant's other approved refunds in the same currency, which are not in the ledger yet. */
export async function inFlightRefundTotalOfMerchant(
  database: Sql,
  { merchantId, currency, id }: Refund,
): Promise<number> {
  const { charged } = await database.one<{
    charged: number
  }>(sql`select coalesce(sum(charged), 0)::bigint as charged
    from refunds where merchant_id = ${merchantId} and state = 'approved' and currency = ${currency} and id <> ${id}`)
  return charged
}

/** Number of approved and executed refunds to the instrument since then, without this refund. */
export async function countRefundsToInstrument(
  database: Sql,
  { merchantId, id }: Refund,
  fingerprint: Buffer,
  since: Date,
): Promise<number> {
  const { count } = await database.one<{ count: number }>(sql`select count(*)::int as count
    from refunds where merchant_id = ${merchantId} and instrument_fingerprint = ${fingerprint} and requested_at > ${since}
      and id <> ${id} and state in ('approved', 'executed')`)
  return count
}

/** Refund as a line of a list. */
export interface RefundWithMerchantName extends Refund {
  merchantName: string
  timeZone: string
}

export interface RefundListFilter {
  merchantId: number | undefined
  /** Default: refunds without an outcome. */
  state: Refund['state'] | undefined
  limit: number
}

/**
 * Open refunds: those under review before approved ones, then the longest waiting first. Ended refunds: the
 * newest first.
 */
export function refundsWithMerchantNames(
  database: Sql,
  { merchantId, state, limit }: RefundListFilter,
): Promise<RefundWithMerchantName[]> {
  const isOver = state === 'executed' || state === 'rejected' || state === 'failed'
  const order = isOver ? sql`r.requested_at desc, r.id desc` : sql`r.state = 'approved', r.requested_at, r.id`
  const merchant = merchantId === undefined ? sql`r.merchant_id` : sql`${merchantId}`
  const ofState = state === undefined ? sql`r.state in ('under_review', 'approved')` : sql`r.state = ${state}`
  return database.many(sql`select ${refundColumns}, m.name as "merchantName", m.time_zone as "timeZone"
    from refunds r ${joinedModification(merchant)} join merchants m on m.id = ${merchant}
    where r.merchant_id = ${merchant} and ${ofState} order by ${order} limit ${limit}`)
}

/** Number of refunds under review and in manual review, and the time of the oldest in manual review. */
export function reviewQueueCounts(
  database: Sql,
): Promise<{ underReview: number; inManualReview: number; oldestAt: Date | null }> {
  return database.one(sql`select count(*)::int as "underReview",
      count(*) filter (where due_at is null)::int as "inManualReview",
      min(requested_at) filter (where due_at is null) as "oldestAt"
    from refunds where state = 'under_review'`)
}

const settings = refundPolicies.omit('merchantId', 'updatedAt')

/** Policy of a merchant, or the default. */
export async function policyOrDefault(
  database: Sql,
  merchant: Pick<Merchant, 'id' | 'live'>,
): Promise<RefundPolicy> {
  const stored = await database.maybe<RefundPolicy>(sql`select ${settings.columns()}
    from refund_policies where merchant_id = ${merchant.id}`)
  return stored ?? defaultPolicyFor(merchant)
}

/**
 * Locks a merchant's policy until the end of the transaction. Without a policy row nothing is locked and no
 * rule limit applies.
 */
export async function lockPolicy(database: Sql, merchantId: number): Promise<void> {
  await database.maybe(sql`select from refund_policies where merchant_id = ${merchantId} for update`)
}

export async function writePolicy(
  database: Sql,
  merchantId: number,
  policy: RefundPolicy,
  now: Date,
): Promise<void> {
  const row = { ...policy, merchantId, updatedAt: now }
  await database.run(sql`insert into refund_policies (${refundPolicies.names}) values (${refundPolicies.values(row)})
    on conflict (merchant_id) do update set ${refundPolicies.omit('merchantId').assignments(row)}`)
}
