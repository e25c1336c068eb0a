import { sql } from '../../kit/runtime/sql.ts'
import { checkIntegrity } from '../../server/integrity/check-integrity.ts'
import type { Services } from '../../server/services.ts'
import { attemptIdOf } from '../harness/bank.ts'
import type { Till } from '../till/till.ts'
import { bankDifferences } from './bank-differences.ts'

/**
 * Finds every inconsistency that is left after hours in which all due work was done:
 * - differences from the bank's records
 * - work that is stuck or was done twice, and card data that is left
 * - payments whose status for the merchant does not match the bank
 * - violations of `vezne ledger check`: among them missing or repeated events, wrong postings, and attempts for
 *   which the bank was asked twice
 *
 * Items in manual review are left out.
 */
export async function inconsistencies(till: Till): Promise<string[]> {
  return [
    ...(await bankDifferences(till)),
    ...(await stuck(till)),
    ...(await doneTwice(till)),
    ...(await wrongReads(till)),
    ...(await integrityViolations(till)),
  ]
}

/**
 * Longest wait of a modification for the end of the bank's day: a day, and the time until the job runs again.
 */
const longestDayMs = 25 * 60 * 60 * 1000

/**
 * Unfinished or overdue work, and stored cards or proofs. A last inquiry about a reversed attempt may still
 * be due.
 */
async function stuck({ services, clock }: Till): Promise<string[]> {
  const dayAgo = new Date(clock.now().getTime() - longestDayMs)
  const isStuck = sql`d.state = 'doing' and d.needs_review_at is null
    and not (d.decline_reason is not distinct from 'not_settled_yet' and d.began_at > ${dayAgo})`
  const rows = await services.sql.many<{ what: string }>(sql`
    select 'payment ' || p.id || ' stays ' || p.state as what from payments p
      where (p.state in ('authenticating', 'authorizing', 'reversing') or p.due_at is not null and p.state <> 'held')
        and not exists (select from payment_attempts a
          where a.merchant_id = p.merchant_id and a.payment_id = p.id and a.needs_review_at is not null)
    union all select 'payment ' || p.id || ' stays ' || p.state from payments p
      where p.state in ('capturing', 'releasing') and not exists (select from modifications d
        where d.merchant_id = p.merchant_id and d.payment_id = p.id and d.state = 'doing' and not (${isStuck}))
    union all select 'attempt ' || id || ' stays ' || state from payment_attempts
      where (state like '%ing' or (due_at is not null and state <> 'reversed')) and needs_review_at is null
    union all select 'the ' || d.kind || ' ' || d.id || ' stays ' || d.state from modifications d where ${isStuck}
    union all select 'refund ' || r.id || ' stays ' || r.state from refunds r
      where r.due_at is not null or r.state = 'approved' and not exists (select from modifications d
        where d.merchant_id = r.merchant_id and d.refund_id = r.id and d.state = 'doing' and not (${isStuck}))
    union all select 'the ' || v.kind || ' ' || v.id || ' stays unverified' from verifications v
      where v.state = 'unverified' and v.needs_review_at is null and v.due_at <= ${clock.now()}
    union all select 'the card of attempt ' || attempt_id || ' is left' from sealed_cards
    union all select 'the proof of attempt ' || attempt_id || ' is left' from authentications where proof is not null
    union all select 'the authentication of attempt ' || attempt_id || ' stays ' || state from authentications
      where state like '%ing' or due_at is not null`)
  return rows.map(({ what }) => what)
}

/**
 * Operations that the bank did more than once. Refunds of one charge can be several, as many as our records
 * have.
 */
async function doneTwice({ services, bank }: Till): Promise<string[]> {
  const refunds = await services.sql.many<{ attempt: string; count: number }>(sql`
    select a.id::text as attempt, count(d.id)::int as count
    from payment_attempts a left join modifications d on d.merchant_id = a.merchant_id and d.payment_id = a.payment_id
      and d.attempt_id = a.id and d.kind = 'refund' and (d.operation = 'refund' and d.state = 'done' or d.needs_review_at is not null)
    where a.state = 'approved' group by a.merchant_id, a.id`)
  const most = new Map(refunds.map(({ attempt, count }) => [attempt, count]))
  return (await bank.book()).flatMap((line) => {
    const given = line.operations.filter((operation) => operation === 'refunded').length
    const twice = line.operations.filter(
      (operation, index) => operation !== 'refunded' && line.operations.indexOf(operation) < index,
    )
    return [
      ...twice.map((operation) => `${line.reference} is ${operation} twice`),
      // An attempt that is not approved can have one refund, as its reversal.
      ...(given > (most.get(attemptIdOf(line)) ?? 1) ? [`${line.reference} is refunded ${given} times`] : []),
    ]
  })
}

/**
 * Payments whose status for the merchant does not match the bank: paid or held needs the amount with the
 * found difference at the bank, refunded needs its return.
 */
async function wrongReads(till: Till): Promise<string[]> {
  const book = new Map((await till.bank.book()).map((line) => [attemptIdOf(line), line]))
  const rows = await till.services.sql.many<PaymentReading>(sql`
    select p.id, (select coalesce(sum(case when t.credit = 'differences' then t.amount else -t.amount end), 0)::bigint
        from ledger_transfers t where t.merchant_id = p.merchant_id and t.payment_id = p.id
          and 'differences' in (t.debit, t.credit)) as taken,
      case when p.state in ('held', 'capturing', 'releasing') then (select coalesce(sum(v.bank_amount - v.amount), 0)::bigint from verifications v
        where v.merchant_id = p.merchant_id and v.payment_id = p.id and v.kind = 'hold') else 0 end as held,
      array_remove(array_agg(a.id::text), null) as attempts,
      (bool_or(a.needs_review_at is not null) or exists (select from modifications d where d.merchant_id = p.merchant_id
        and d.payment_id = p.id and d.needs_review_at is not null)) is true as "needsReview"
    from payments p left join payment_attempts a on a.merchant_id = p.merchant_id and a.payment_id = p.id
    group by p.merchant_id, p.id`)
  const wrong: string[] = []
  const token = await till.token()
  for (const { id, attempts, needsReview, taken, held } of rows) {
    if (needsReview) continue
    const read = async (url: string) =>
      (await till.callAtOnce({ url: `/v1/transaction/${id}${url}`, token })).json
    const { payment_status_text: status, amount } = await read('')
    const given = status.endsWith('refunded') ? executedOf(await read('/refunds?per_page=100')) : 0
    const lines = attempts.flatMap((attempt) => book.get(attempt) ?? [])
    const has = (of: 'taken' | 'held') => lines.reduce((sum, line) => sum + line[of], 0)
    const due = dueOf(status, amount - given)
    if (
      has('taken') !== due.taken + taken ||
      has('held') !== due.held + held ||
      (status === 'refunded' && given !== amount)
    )
      wrong.push(`payment ${id} reads ${status}, the bank has ${has('taken')} and holds ${has('held')}`)
  }
  return wrong
}

interface PaymentReading {
  id: number
  attempts: string[]
  needsReview: boolean
  /** Amounts taken and held at the bank beyond the requested amounts, as far as found. */
  taken: number
  held: number
}

function executedOf(refunds: readonly { status: string; amount: number }[]): number {
  const executed = refunds.filter(({ status }) => status === 'executed')
  return executed.reduce((sum, { amount }) => sum + amount, 0)
}

/** Amounts that the bank must have for a payment with this status and this amount not refunded. */
function dueOf(status: string, leftMinor: number): { taken: number; held: number } {
  const isTaken = ['success', 'partially_refunded', 'refunded'].includes(status)
  return { taken: isTaken ? leftMinor : 0, held: status === 'pre_authorized' ? leftMinor : 0 }
}

/** Violations found by `vezne ledger check`. */
export async function integrityViolations({
  services,
}: {
  services: Pick<Services, 'sql' | 'clock'>
}): Promise<string[]> {
  const { problems } = await checkIntegrity(services)
  return problems.filter(({ isWarning }) => !isWarning).map(({ what, total }) => `${total} payments: ${what}`)
}
