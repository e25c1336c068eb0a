import { moneyField, optional, parsedTextField } from '../../kit/input/fields.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import { searchTermsFromFilter, wholeSearchTerm, wordPrefixFilterField } from '../database/search.ts'
import { productResource, productSearchFields } from './product.ts'

export const searchProductsRoute = productResource.routeToSearch({
  summary: { tr: 'Ürün ara', en: 'Search products' },
  description: {
    tr: 'Bütün filtrelere uyan ürünleri en yeniden en eskiye doğru döndürür. Sözcükler başlarından eşleşir; büyük-küçük harf ve Türkçe harf ayrımı yapılmaz. Bilinmeyen bir filtre 901 ile reddedilir.',
    en: 'Returns the products that match all filters, newest first. Words match by their beginning; case and Turkish letters make no difference. An unknown filter is rejected with 901.',
  },
  found: { tr: 'Bulunan ürünler.', en: 'Products found.' },
  filters: {
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
  },
  terms: ({ q, product_name, currency_code, price }) => [
    searchTermsFromFilter(q, [productSearchFields.productName, productSearchFields.description]),
    searchTermsFromFilter(product_name, [productSearchFields.productName]),
    wholeSearchTerm(currency_code, productSearchFields.currencyCode),
    wholeSearchTerm(price, productSearchFields.price),
  ],
})
