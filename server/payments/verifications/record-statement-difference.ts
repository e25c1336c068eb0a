import type { OwnedId } from '../../database/owned-id.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { writeDecision } from '../bank-calls/bank-work.ts'
import { verificationWithPaymentOf } from '../records/verification.sql.ts'
import { isChargeBusy } from './compare.ts'
import { decideVerification } from './decide.ts'
import { verificationWork } from './verification-work.ts'

/**
 * Records that a bank's statement has a different amount for an approval. Guarantee: a difference is recorded
 * once, despite concurrent calls. Returns true if it was recorded now.
 */
export async function recordStatementDifference(
  services: Services,
  ownedId: OwnedId,
  bankAmountMinor: number,
): Promise<boolean> {
  const context = await verificationWithPaymentOf(services.sql, ownedId)
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!context || !merchant || context.verification.state !== 'unverified') return false
  // The amount may or may not include a running modification; a later statement decides.
  if (isChargeBusy(context)) return false
  const { clock, config } = services
  const comparison = { result: 'different', bankAmountMinor } as const
  const verification = decideVerification(context.verification, comparison, 'statement', clock.now(), config)
  return (await writeDecision(services, merchant, verificationWork, context, { verification })) !== undefined
}
