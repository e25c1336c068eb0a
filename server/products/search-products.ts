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
        en: 'Words to look for in name and description.',
      },
      'kahve',
    ),
    product_name: wordPrefixFilterField({
      tr: 'Ürün adındaki bir sözcüğün ilk harfleri.',
      en: 'The beginning of a word in the name.',
    }),
    currency_code: optional(
      parsedTextField<string>(
        { tr: 'ISO 4217 para birimi.', en: 'The ISO 4217 currency.' },
        { max: 3, parse: parseCurrencyField },
      ),
    ),
    price: optional(
      moneyField({
        tr: 'En küçük para birimi cinsinden (kuruş, sent) tam fiyat.',
        en: 'The exact price in the minor unit.',
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
    tr: 'Verilen filtrelerin tümüne uyan ürünleri en yeniden en eskiye sıralanmış olarak döndürür. Metinlerde sözcük başları aranır; büyük-küçük harf ve Türkçe karakter ayrımı yapılmaz. Tanınmayan bir filtre 901 ile reddedilir.',
    en: 'Answers the products that fit all given filters, newest first. Text is matched by the beginnings of words, without regard to case or Turkish letters. An unknown filter is 901.',
  },
  credential: 'secret',
  query: SearchProducts,
  answer: listPageResponseDefinition(ShownProduct, { tr: 'Bulunan ürünler.', en: 'The products found.' }),
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
