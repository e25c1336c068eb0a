import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { availableAt, postingsOfPayment } from '../../server/ledger/index.ts'
import { newReference } from '../../server/payments/records/attempt.ts'
import { shownTransaction } from '../../server/payments/records/transaction.ts'
import { openSecrets } from '../../server/pos/secrets.ts'
import { sealedPosById } from '../../server/pos/store.ts'
import type { Till } from '../till/till.ts'
import { seedInstrument } from './after-outcome.ts'
import { seedUnassignedPositions } from './event-positions.ts'

/** Charges in our records and in the bank's, as if paid with a card of this fault. */
export interface ChargesSeed {
  posId: number
  preAuth: boolean
  /** Name of the card's fault; null without one. */
  fault: string | null
  count: number
  /** Amount that the bank charged without naming it. By default the answers proved the amount. */
  bankAmountMinor?: number
  /** Time of the outcome. Default: now. */
  at?: Date
}

const amountMinor = 10_000
const commissionMinor = 179
const card = '419000******0705'

/**
 * Writes the rows into our tables and the bank's, in a fixed number of queries: the tests begin with the paid
 * or held payment. Returns the payment ids.
 */
export async function seedCharges(
  till: Pick<Till, 'services' | 'merchant'>,
  seed: ChargesSeed,
): Promise<number[]> {
  const { services, merchant } = till
  const { ids, random, clock } = services
  const now = seed.at ?? clock.now()
  const made = await Promise.all(
    Array.from({ length: seed.count }, async () => {
      const [id = 0, attemptId = 0, callId = 0, eventId = 0, ...transferIds] = await ids.nextMany(6)
      const reference = newReference(attemptId, random)
      return { id, attemptId, callId, eventId, transferIds, reference }
    }),
  )
  const rows = JSON.stringify(made.map((each) => ({ ...each, ...dataOf(till, seed, each.id, now) })))
  await seedOurRows(till, seed, rows, now)
  await seedBankRows(till, seed, rows, now)
  return made.map(({ id }) => id)

  function dataOf(of: typeof till, { preAuth }: ChargesSeed, id: number, at: Date) {
    const state = preAuth ? ('held' as const) : ('paid' as const)
    const details = { installmentCount: 1, code: '00', message: 'Onaylandı', metadata: [], viewedAt: null }
    const payment = {
      id,
      state,
      amountMinor,
      currency: 'TRY',
      preAuth,
      createdAt: at,
      endedAt: at,
      ...details,
    }
    return { data: shownTransaction(payment, of.merchant) }
  }

  async function seedOurRows(of: typeof till, { posId, preAuth }: ChargesSeed, json: string, at: Date) {
    const { sql: database } = of.services
    const given = sql`json_to_recordset(${json}::json) as given (id bigint, "attemptId" bigint, "callId" bigint,
      "eventId" bigint, "transferIds" json, reference text, data jsonb)`
    const merchantId = sql`${merchant.id}::bigint`
    await database.run(sql`insert into payments (merchant_id, id, state, version, amount, currency, pre_auth, customer_by_page, items, metadata,
        page_key, started_by, created_at, expires_at, ended_at, attempt_count, attempt_id, event_count,
        installment_count, code, message, refunded)
      select ${merchantId}, id, ${preAuth ? 'held' : 'paid'}, 4, ${amountMinor}::bigint, 'TRY', ${preAuth}::boolean, false, '[]', '[]',
        'a page key'::bytea, 'secret', ${at}::timestamptz, ${at}::timestamptz + interval '30 minutes', ${at}::timestamptz,
        1, "attemptId", 1, 1, '00', 'Onaylandı', 0 from ${given}`)
    await seedInstrument(database, { merchantId: merchant.id, mask: card })
    await database.run(sql`insert into payment_attempts (merchant_id, id, payment_id, number, reference, state, version, pos_id,
        connector, pre_auth, currency, charged, commission, commission_id, installment, reason,
        instrument_fingerprint, began_at, asked_at, ended_at, code, message, bank_references, tries)
      select ${merchantId}, "attemptId", id, 1, reference, 'approved', 3, ${posId}::bigint, 'planted', ${preAuth}::boolean, 'TRY',
        ${amountMinor}::bigint, ${commissionMinor}::bigint, 1, 1, '{}', ${card}::bytea, ${at}::timestamptz,
        ${at}::timestamptz, ${at}::timestamptz, '00', 'Onaylandı', '{}', 0 from ${given}`)
    await database.run(sql`insert into bank_calls (merchant_id, id, payment_id, attempt_id, operation, asked_at, answered_at,
        outcome, code)
      select ${merchantId}, "callId", id, "attemptId", ${preAuth ? 'pre_authorize' : 'authorize'}, ${at}::timestamptz,
        ${at}::timestamptz, 'approved', '00' from ${given}`)
    await database.run(sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
      select ${merchantId}, "eventId", id, 1, ${preAuth ? 'payment.pre_authorized' : 'payment.succeeded'}, data,
        ${at}::timestamptz from ${given}`)
    await seedUnassignedPositions(database, merchant.id)
    if (seed.bankAmountMinor !== undefined) await seedUnverified(database, seed, given, at)
    if (preAuth) return
    const taking = { paymentId: 0, currency: 'TRY', chargedMinor: amountMinor, commissionMinor }
    for (const [index, posting] of postingsOfPayment(taking).entries()) {
      const { reason, debit, credit, amountMinor: postedMinor } = posting
      await database.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency, debit, credit,
          amount, created_at, available_at)
        select ${merchantId}, ("transferIds" ->> ${index}::int)::bigint, ${reason}::text || ' ' || id, ${reason}::text, id,
          'TRY', ${debit}, ${credit}, ${postedMinor}::bigint, ${at}::timestamptz,
          ${availableAt(at, merchant)}::timestamptz from ${given}`)
    }
  }

  async function seedUnverified(
    database: Sql,
    { posId, preAuth }: ChargesSeed,
    given: SqlFragment,
    at: Date,
  ): Promise<void> {
    const second = sql`date_trunc('second', ${at}::timestamptz)`
    await database.run(sql`insert into verifications (merchant_id, id, payment_id, attempt_id, pos_id, kind, amount, currency,
        state, version, approved_at, due_at, tries)
      select ${merchant.id}::bigint, "attemptId", id, "attemptId", ${posId}::bigint, ${preAuth ? 'hold' : 'charge'},
        ${amountMinor}::bigint, 'TRY', 'unverified', 1, ${at}::timestamptz, ${at}::timestamptz + interval '60 seconds', 0
      from ${given}`)
    await database.run(sql`insert into inquiry_limits (merchant_id, pos_id, second, inquiries, failures)
      values (${merchant.id}, ${posId}, ${second}, 0, 0) on conflict do nothing`)
  }

  async function seedBankRows(
    of: typeof till,
    { posId, preAuth, fault }: ChargesSeed,
    json: string,
    at: Date,
  ) {
    const { sql: database } = of.services
    const charged = seed.bankAmountMinor ?? amountMinor
    const terminal = await terminalOf(of, posId)
    const given = sql`json_to_recordset(${json}::json) as given (reference text)`
    await database.run(sql`insert into sandbox.charges (terminal, reference, kind, amount, currency, installments, card, fault,
        code, auth_code, host_reference, asked_at, done_at)
      select ${terminal}, reference, ${preAuth ? 'pre-authorization' : 'sale'}, ${charged}::bigint, 'TRY', 1, ${card},
        ${fault}::text, '00', '123456', left(reference, 12), ${at}::timestamptz, ${at}::timestamptz from ${given}`)
    await database.run(sql`insert into sandbox.charge_operations (terminal, reference, number, kind, amount, part, at)
      select ${terminal}, reference, 1, ${preAuth ? 'held' : 'authorized'}, ${charged}::bigint, null, ${at}::timestamptz
      from ${given}`)
  }
}

/** Name of a POS at the bank. */
async function terminalOf({ services, merchant }: Pick<Till, 'services' | 'merchant'>, posId: number) {
  const pos = await sealedPosById(services.sql, merchant.id, posId)
  const secrets = pos && openSecrets(services, pos.secrets)
  return secrets?.['terminal'] ?? secrets?.['client_id'] ?? ''
}
