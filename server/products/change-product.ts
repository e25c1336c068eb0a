import { schemaForUpdate } from '../../kit/input/fields.ts'
import { productFields, productResource } from './product.ts'

export const changeProductRoute = productResource.routeToChange({
  summary: { tr: 'Ürünü değiştir', en: 'Change product' },
  description: {
    tr: 'Yalnızca gönderilen alanları değiştirir ve ürünün tamamını döndürür. İsteğe bağlı bir alan boş gönderilirse silinir. `metadata` gönderilirse önceki çiftlerin tamamının yerine geçer. Başlatılmış ödemeler, başlatıldıkları andaki fiyatı korur.',
    en: 'Changes only the fields that you send and returns the whole product. An optional field that is sent empty is cleared. If `metadata` is sent, it replaces all previous pairs. Payments keep the price with which they were started.',
  },
  body: schemaForUpdate(productFields, ['description', 'metadata'], {
    price: { example: 19990 },
    currency_code: {
      about: {
        tr: 'ISO 4217 para birimi kodu. Gönderilmezse değişmez.',
        en: 'ISO 4217 currency code. If it is not sent, it stays unchanged.',
      },
    },
  }),
  columns: ({ product_name, price, currency_code, description }, before) => ({
    ...before,
    productName: product_name ?? before.productName,
    priceMinor: price ?? before.priceMinor,
    currencyCode: currency_code ?? before.currencyCode,
    description: description === undefined ? before.description : description,
  }),
})
