import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { RecordedCharge, RecordedModification } from '../../server/reconciliation/recorded-charge.ts'
import { seedInstrument } from './after-outcome.ts'

/** Writes the given charges with their modifications into our tables, each with its own payment. */
export async function seedReconciliationCharges(
  database: Sql,
  charges: readonly RecordedCharge[],
): Promise<void> {
  const rows = JSON.stringify(charges)
  const row = sql`json_to_recordset(${rows}::json) as r("merchantId" bigint, "paymentId" bigint, "attemptId" bigint,
    reference text, "posId" bigint, state text, "preAuth" boolean, currency text, "chargedMinor" bigint,
    "askedAt" timestamptz, "endedAt" timestamptz)`
  await database.run(sql`insert into payments (merchant_id, id, state, version, amount, currency, pre_auth, customer_by_page, items, metadata,
      page_key, started_by, created_at, expires_at, attempt_count, attempt_id, event_count, installment_count, refunded)
    select "merchantId", "paymentId", 'failed', 1, "chargedMinor", currency, "preAuth", false, '[]', '[]', 'a page key',
      'secret', "askedAt", "askedAt", 1, "attemptId", 0, 1, 0 from ${row}`)
  for (const merchantId of new Set(charges.map((charge) => charge.merchantId)))
    await seedInstrument(database, { merchantId, mask: '415565******6111' })
  await database.run(sql`insert into payment_attempts (merchant_id, id, payment_id, number, reference, state, version, pos_id,
      connector, pre_auth, currency, charged, commission, commission_id, installment, reason,
      instrument_fingerprint, began_at, asked_at, ended_at, tries)
    select "merchantId", "attemptId", "paymentId", 1, reference, state, 1, "posId", 'sandbox', "preAuth", currency,
      "chargedMinor", 0, 1, 1, '{}', '415565******6111', "askedAt", "askedAt", "endedAt", 0
    from ${row}`)
  const modifications = charges.flatMap((charge) =>
    charge.modifications.map(
      (
        modification,
      ): RecordedModification & Pick<RecordedCharge, 'merchantId' | 'paymentId' | 'attemptId' | 'posId'> => ({
        ...modification,
        merchantId: charge.merchantId,
        paymentId: charge.paymentId,
        attemptId: charge.attemptId,
        posId: charge.posId,
      }),
    ),
  )
  await database.run(sql`insert into modifications (merchant_id, id, payment_id, attempt_id, pos_id, kind, refund_id, amount,
      prior_refunded, state, version, operation, began_at, asked_at, ended_at, tries)
    select "merchantId", id, "paymentId", "attemptId", "posId", kind, "refundId", "amountMinor", 0, state, 1, operation,
      "beganAt", "beganAt", "endedAt", 0
    from json_to_recordset(${JSON.stringify(modifications)}::json) as r("merchantId" bigint, id bigint, "paymentId" bigint,
      "attemptId" bigint, "posId" bigint, kind text, "refundId" bigint, "amountMinor" bigint, state text, operation text,
      "beganAt" timestamptz, "endedAt" timestamptz)`)
}

/** Seeds a POS with only a name. */
export async function seedPos(
  database: Sql,
  { merchantId, id, name }: { merchantId: number; id: number; name: string },
): Promise<void> {
  await database.run(sql`insert into pos_credentials (merchant_id, id, name, bank_code, connector, currencies, families,
      state, priority, settings, secrets, secrets_key_id, created_at, updated_at)
    values (${merchantId}, ${id}, ${name}, 62, 'sandbox', '{TRY}', '{}', 'active', 1, '{}', 'sealed', 'a key',
      '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`)
}
