import type { Sql } from '../../kit/runtime/sql.ts'
import { attempts } from '../../server/payments/records/attempt.ts'
import { instruments } from '../../server/payments/records/instrument.ts'
import { modifications } from '../../server/payments/records/modification.ts'
import { payments } from '../../server/payments/records/payment.ts'
import type { RecordedCharge } from '../../server/reconciliation/recorded-charge.ts'
import { seed } from './seed.ts'

/** Writes the given charges with their modifications into our tables, each with its own payment. */
export async function seedReconciliationCharges(
  database: Sql,
  charges: readonly RecordedCharge[],
): Promise<void> {
  const merchantIds = [...new Set(charges.map(({ merchantId }) => merchantId))]
  const cards = merchantIds.map((merchantId) => ({ merchantId }))
  await seed(database, instruments, cards)
  const paymentRows = charges.map(({ merchantId, paymentId: id, attemptId, chargedMinor, ...charge }) => ({
    ...{ merchantId, id, state: 'failed' as const, amountMinor: chargedMinor, currency: charge.currency },
    ...{ preAuth: charge.preAuth, createdAt: charge.askedAt, attemptCount: 1, attemptId },
  }))
  await seed(database, payments, paymentRows)
  const attemptRows = charges.map(({ attemptId: id, bankChargedMinor: _, ...charge }) => ({
    ...{ ...charge, id, beganAt: charge.askedAt },
  }))
  await seed(database, attempts, attemptRows)
  const modificationRows = charges.flatMap(({ merchantId, paymentId, attemptId, posId, ...charge }) =>
    charge.modifications.map((modification) => ({
      ...{ ...modification, merchantId, paymentId, attemptId, posId, askedAt: modification.beganAt },
    })),
  )
  await seed(database, modifications, modificationRows)
}
