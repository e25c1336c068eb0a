import { listPageResponseDefinition, route } from '../../kit/api/route.ts'
import {
  choiceField,
  idField,
  optional,
  parsedTextField,
  queryFiltersSchema,
} from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import {
  invalidCursorComplaint,
  listPageOf,
  searchFilterFields,
  searchWindowFromFilters,
} from '../database/search.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { searchTransfers } from './store.ts'
import { ShownBalanceTransfer, shownBalanceTransfer, transferReasons } from './transfer.ts'

const ListTransfers = queryFiltersSchema({
  currency_code: optional(
    parsedTextField<string>(
      { tr: 'ISO 4217 para birimi kodu.', en: 'ISO 4217 currency code.' },
      { max: 3, parse: parseCurrencyField, example: 'TRY' },
    ),
  ),
  reason: optional(
    choiceField(
      { tr: 'Hareketin türü: ödeme veya iade.', en: 'Kind of transfer: payments or refunds.' },
      transferReasons,
    ),
  ),
  transaction_id: optional(idField({ tr: 'İşlem numarası.', en: 'ID of a transaction.' })),
  ...searchFilterFields,
})

export const listTransfersRoute = route({
  method: 'GET',
  url: '/v1/balance/transfers',
  summary: { tr: 'Bakiye hareketlerini listele', en: 'List balance transfers' },
  description: {
    tr: 'Bakiyenizi değiştiren ödemeleri ve iadeleri, komisyonlarıyla birlikte en yeniden en eskiye doğru döndürür. Tutarların toplamı bakiyenize eşittir. Bilinmeyen bir filtre 901 ile reddedilir.',
    en: 'Returns the payments and refunds that changed your balance, with their commissions, newest first. Their amounts add up to your balance. An unknown filter is rejected with 901.',
  },
  credential: 'secret',
  query: ListTransfers,
  answer: listPageResponseDefinition(ShownBalanceTransfer, {
    tr: 'Bakiye hareketleri.',
    en: 'Balance transfers.',
  }),
  handle: async ({ searches }: Services, merchant: Merchant, { query }) => {
    const { currency_code: currency, reason, transaction_id: paymentId } = query
    const window = searchWindowFromFilters(query, merchant.timeZone)
    const search = { ...window, merchantId: merchant.id, currency, reason, paymentId }
    const result = await searches.run((sql) => searchTransfers(sql, search))
    if (!result) throw invalidParameter('after', invalidCursorComplaint)
    const { items, ...rest } = listPageOf(result)
    return { items: items.map((transfer) => shownBalanceTransfer(transfer, merchant)), ...rest }
  },
})
