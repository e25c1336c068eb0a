import type { Static } from 'typebox'
import {
  resourceSchema,
  shownCurrencySchema,
  shownIntegerSchema,
  shownListSchema,
} from '../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { signedDecimalText } from '../../kit/money/money.ts'
import { Batcher } from '../database/batch.ts'
import { servicesWithoutDeadline } from '../database/request-sql.ts'
import type { MerchantBalance } from '../ledger/index.ts'
import { merchantBalancesOf } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { shownDecimalSchema } from './transfer.ts'

const ShownBalance = resourceSchema(
  'Balance',
  { tr: 'Bir para birimindeki bakiyeniz.', en: 'Balance in one currency.' },
  {
    currency_code: shownCurrencySchema,
    available: shownIntegerSchema(
      {
        tr: 'Şu anda kullanılabilir tutar, en küçük para birimi cinsinden (kuruş, sent). İadelerden sonra eksi olabilir.',
        en: 'Amount available now, in the minor unit. It can be negative after refunds.',
      },
      1837200,
    ),
    pending: shownIntegerSchema(
      {
        tr: 'Bekleyen tutar: tahsil edilmiş, ancak henüz kullanılabilir olmamış.',
        en: 'Pending amount: collected, but not available yet.',
      },
      18650,
    ),
    total: shownIntegerSchema(
      { tr: '`available` ve `pending` tutarlarının toplamı.', en: 'Sum of `available` and `pending`.' },
      1855850,
    ),
    formatted_available: shownDecimalSchema('available', '18372.00'),
    formatted_pending: shownDecimalSchema('pending', '186.50'),
    formatted_total: shownDecimalSchema('total', '18558.50'),
  },
)

/** Guarantee: the sum of all transfers that were posted before the request. */
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
  handle: (services: Services, merchant: Merchant) => readBalances(services, merchant.id),
})

type Balances = Static<typeof ShownBalance>[]

const balanceReadings = (): { batcher?: Batcher<Balances> } => ({})

/**
 * Requests of a merchant that arrive at the same time share one reading. It begins after each of them, so each
 * sees every transfer that was posted before it.
 */
async function readBalances(services: Services, merchantId: number): Promise<Balances> {
  const process = services.processState.of(balanceReadings)
  // A reading outlives the deadline of the request that began it, because others wait for it too.
  const { sql, clock } = servicesWithoutDeadline(services)
  process.batcher ??= new Batcher(async ([{ merchantId: id } = { merchantId }]) => {
    const balances = await merchantBalancesOf(sql, id, clock.now())
    return new Map([[id, balances.map(shownBalance)]])
  }, clock)
  return (await process.batcher.add({ merchantId, id: merchantId })) ?? []
}

function shownBalance({
  currency,
  availableMinor,
  pendingMinor,
}: MerchantBalance): Static<typeof ShownBalance> {
  const totalMinor = availableMinor + pendingMinor
  return {
    currency_code: currency,
    available: availableMinor,
    pending: pendingMinor,
    total: totalMinor,
    formatted_available: signedDecimalText(availableMinor, '.'),
    formatted_pending: signedDecimalText(pendingMinor, '.'),
    formatted_total: signedDecimalText(totalMinor, '.'),
  }
}
