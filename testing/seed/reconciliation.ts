import type { Sql } from '../../kit/runtime/sql.ts'
import { attempts } from '../../server/payments/records/attempt.ts'
import { modifications } from '../../server/payments/records/modification.ts'
import { payments } from '../../server/payments/records/payment.ts'
import { posCredentials } from '../../server/pos/pos.ts'
import type { RecordedCharge } from '../../server/reconciliation/recorded-charge.ts'
import { seedInstrument } from './after-outcome.ts'
import { insertRows } from './insert-rows.ts'

/** Writes the given charges with their modifications into our tables, each with its own payment. */
export async function seedReconciliationCharges(
  database: Sql,
  charges: readonly RecordedCharge[],
): Promise<void> {
  const card = '415565******6111'
  for (const merchantId of new Set(charges.map((charge) => charge.merchantId)))
    await seedInstrument(database, { merchantId, mask: card })
  const paymentRows = charges.map(({ merchantId, paymentId: id, chargedMinor, ...charge }) => ({
    ...{ merchantId, id, state: 'failed' as const, version: 1, amountMinor: chargedMinor },
    ...{ currency: charge.currency, preAuth: charge.preAuth, customerByPage: false, items: [], metadata: [] },
    ...{ pageKey: Buffer.from('a page key'), startedBy: 'secret' as const, createdAt: charge.askedAt },
    ...{ expiresAt: charge.askedAt, attemptCount: 1, attemptId: charge.attemptId, eventCount: 0 },
    ...{ installmentCount: 1, refundedMinor: 0 },
  }))
  await insertRows(database, payments, paymentRows)
  const attemptRows = charges.map(({ attemptId: id, bankChargedMinor: _, ...charge }) => ({
    ...{ ...charge, id, number: 1, version: 1, connector: 'sandbox', commissionMinor: 0, commissionId: 1 },
    ...{ installment: 1, reason: { among: 'all' as const, by: [] } },
    ...{ instrumentFingerprint: Buffer.from(card), beganAt: charge.askedAt, tries: 0 },
  }))
  await insertRows(database, attempts, attemptRows)
  const modificationRows = charges.flatMap(({ merchantId, paymentId, attemptId, posId, ...charge }) =>
    charge.modifications.map((modification) => ({
      ...{ ...modification, merchantId, paymentId, attemptId, posId, priorRefundedMinor: 0, version: 1 },
      ...{ askedAt: modification.beganAt, tries: 0 },
    })),
  )
  await insertRows(database, modifications, modificationRows)
}

/** Seeds a POS with only a name. */
export async function seedPos(
  database: Sql,
  { merchantId, id, name }: { merchantId: number; id: number; name: string },
): Promise<void> {
  const at = new Date('2026-01-01T00:00:00Z')
  const terms = { bankCode: 62, connector: 'sandbox', currencies: ['TRY'], families: [], settings: {} }
  const sealed = { secrets: Buffer.from('sealed'), secretsKeyId: 'a key' }
  await insertRows(database, posCredentials, [
    { merchantId, id, name, ...terms, ...sealed, state: 'active', priority: 1, createdAt: at, updatedAt: at },
  ])
}
