import type { Static } from 'typebox'
import type { ListPage } from '../../kit/api/route.ts'
import { listPageResponseDefinition, route } from '../../kit/api/route.ts'
import { moneyField, optional, parsedTextField, queryFiltersSchema } from '../../kit/input/fields.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import type { SearchTerm } from '../database/full-text-search.ts'
import {
  checkSearchWordCount,
  combineSearchTerms,
  emptySearchResult,
  listPageOf,
  searchFilterFields,
  searchTermsFromFilter,
  searchWindowFromFilters,
  wordPrefixFilterField,
} from '../database/search.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Product } from './product.ts'
import { productSearchFields, ShownProduct, shownProduct } from './product.ts'
import { productsMatching } from './store.ts'

const SearchProducts = queryFiltersSchema(
  {
    q: wordPrefixFilterField(
      {
        tr: 'Ürün adında ve açıklamasında aranacak sözcükler.',
        en: 'Words to search for in the name and the description.',
      },
      'kahve',
    ),
    product_name: wordPrefixFilterField({
      tr: 'Ürün adındaki bir sözcüğün ilk harfleri.',
      en: 'Beginning of a word in the name.',
    }),
    currency_code: optional(
      parsedTextField<string>(
        { tr: 'ISO 4217 para birimi kodu.', en: 'ISO 4217 currency code.' },
        { max: 3, parse: parseCurrencyField },
      ),
    ),
    price: optional(
      moneyField({
        tr: 'Tam fiyat, en küçük para birimi cinsinden (kuruş, sent).',
        en: 'Exact price in the minor unit.',
      }),
    ),
    ...searchFilterFields,
  },
  { rule: checkSearchWordCount },
)

export const searchProductsRoute = route({
  method: 'GET',
  url: '/v1/products/search',
  summary: { tr: 'Ürün ara', en: 'Search products' },
  description: {
    tr: 'Bütün filtrelere uyan ürünleri en yeniden en eskiye doğru döndürür. Sözcükler başlarından eşleşir; büyük-küçük harf ve Türkçe harf ayrımı yapılmaz. Bilinmeyen bir filtre 901 ile reddedilir.',
    en: 'Returns the products that match all filters, newest first. Words match by their beginning; case and Turkish letters make no difference. An unknown filter is rejected with 901.',
  },
  credential: 'secret',
  query: SearchProducts,
  answer: listPageResponseDefinition(ShownProduct, { tr: 'Bulunan ürünler.', en: 'Products found.' }),
  handle: async (services: Services, merchant: Merchant, { query, language }) => {
    const { items, ...rest } = await searchProducts(services, merchant, query)
    return { items: items.map((product) => shownProduct(product, merchant, language)), ...rest }
  },
})

export async function searchProducts(
  { searches }: Pick<Services, 'searches'>,
  merchant: Merchant,
  filters: Static<typeof SearchProducts>,
): Promise<ListPage<Product>> {
  const terms = termsFor(filters)
  if (!terms) return listPageOf(emptySearchResult)
  const window = searchWindowFromFilters(filters, merchant.timeZone)
  const search = { ...window, merchantId: merchant.id, terms }
  return listPageOf(await searches.run((sql) => productsMatching(sql, search)))
}

function termsFor({ q, product_name, currency_code, price }: Static<typeof SearchProducts>) {
  return combineSearchTerms([
    searchTermsFromFilter(q, [productSearchFields.productName, productSearchFields.description]),
    searchTermsFromFilter(product_name, [productSearchFields.productName]),
    whole(currency_code, productSearchFields.currencyCode),
    whole(price, productSearchFields.price),
  ])
}

function whole(value: string | number | undefined, field: string): SearchTerm[] | undefined {
  return value === undefined ? undefined : [{ fields: [field], word: String(value), whole: true }]
}
