import type { Sql } from '../kit/sql.ts'
import type { Merchant } from '../merchants/index.ts'
import type { RefundPolicy } from './policy.ts'
import { defaultPolicy } from './policy.ts'
import { policyOfMerchant } from './store.ts'

/** How the refunds of a merchant are reviewed: as it is set, or as usual. */
export async function policyFor(
  database: Sql,
  merchant: Pick<Merchant, 'id' | 'live'>,
): Promise<RefundPolicy> {
  return (await policyOfMerchant(database, merchant.id)) ?? defaultPolicy(merchant)
}
