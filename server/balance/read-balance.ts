import { shownListSchema } from '../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import type { MerchantBalance } from '../ledger/index.ts'
import { merchantBalancesOf } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { ShownBalance, shownBalance } from './balance.ts'

export const readBalanceRoute = route({
  method: 'GET',
  url: '/v1/balance',
  summary: { tr: 'Bakiyeyi getir', en: 'Read balance' },
  description: {
    tr: 'Kullanılabilir ve bekleyen bakiyenizi, her para birimi için ayrı ve para birimi koduna göre sıralı döndürür. Henüz hareket yoksa liste boştur.',
    en: 'Returns your available and pending balance, with one entry per currency, ordered by currency code. The list is empty before the first transfer.',
  },
  credential: 'secret',
  answer: bareResponseDefinition(
    shownListSchema({ tr: 'Para birimlerine göre bakiye.', en: 'Balance by currency.' }, ShownBalance),
  ),
  handle: async (services: Services, merchant: Merchant) =>
    (await readBalance(services, merchant)).map(shownBalance),
})

/** Guarantee: the sum of all transfers that were posted before the request. */
export function readBalance(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
): Promise<MerchantBalance[]> {
  return merchantBalancesOf(sql, merchant.id, clock.now())
}
