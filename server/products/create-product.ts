import { objectSchema } from '../../kit/input/fields.ts'
import { productFields, productResource, systemIds } from './product.ts'

/** Without a currency a product gets the merchant's. */
export const createProductRoute = productResource.routeToCreate({
  summary: { tr: 'Ürün oluştur', en: 'Create product' },
  description: {
    tr: 'Yeni bir ürün kaydeder. Ürün numarası, ödeme başlatılırken `product_ids` içinde gönderilebilir; ürünün fiyatı ödeme tutarına dahildir.',
    en: 'Creates a product. Its ID can be sent in `product_ids` when a payment is started; its price is part of the payment’s amount.',
  },
  body: objectSchema(productFields),
  columns: ({ product_name, price, currency_code, description }, merchant) => ({
    productName: product_name,
    priceMinor: price,
    currencyCode: currency_code ?? merchant.currency,
    quantity: 1,
    description: description ?? null,
    productImage: null,
    systemId: systemIds.api,
  }),
})
