import type { Sql } from '../../kit/runtime/sql.ts'
import type { Merchant } from '../merchants/index.ts'
import type { RefundPolicy } from './policy.ts'
import { defaultPolicyFor } from './policy.ts'
import { storedPolicyOf } from './store.ts'

/** How the refunds of a merchant are reviewed: as it is set, or as usual. */
export async function policyOrDefault(
  database: Sql,
  merchant: Pick<Merchant, 'id' | 'live'>,
): Promise<RefundPolicy> {
  return (await storedPolicyOf(database, merchant.id)) ?? defaultPolicyFor(merchant)
}
