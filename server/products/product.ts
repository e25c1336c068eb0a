import type { Static } from 'typebox'
import { metadataField } from '../../kit/api/metadata.ts'
import {
  nullableSchema,
  resourceSchema,
  shownCurrencySchema,
  shownIntegerSchema,
  shownTextSchema,
} from '../../kit/api/resource.ts'
import type { TimelineTexts } from '../../kit/api/timeline.ts'
import { shownTimelineSchema } from '../../kit/api/timeline.ts'
import { moneyField, optional, parsedTextField, textField } from '../../kit/input/fields.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, text } from '../../kit/runtime/table.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import { foldedWordsOf, tsvectorOf } from '../database/full-text-search.ts'
import type { Merchant } from '../merchants/index.ts'
import { pictureUrl } from '../pictures/index.ts'
import { Resource, resourceColumns, shownRecord, shownResourceFields } from '../resources/index.ts'

/** Channel that created a record, as shown in `system_id`. */
export const systemIds = { api: 1, console: 2, import: 3 } as const

export const products = defineMerchantTable('products', {
  merchantId: bigint(),
  id: bigint(),
  productName: text(),
  priceMinor: bigint(),
  currencyCode: text(),
  quantity: integer(),
  description: text().orNull(),
  /** Digest of a picture. */
  productImage: text().orNull(),
  systemId: integer(),
  ...resourceColumns,
})

/** An article that a merchant sells. */
export type Product = Omit<RowOf<typeof products>, 'words' | 'deletedAt'>

const timelineTexts: TimelineTexts = {
  created: { tr: 'Ürün oluşturuldu.', en: 'The product was created.' },
  updated: { tr: 'Ürün güncellendi.', en: 'The product was updated.' },
}

export const productFields = {
  product_name: textField(
    { tr: 'Ürünün adı.', en: 'Name of the product.' },
    { max: 100, example: 'Türk kahvesi, 250 g' },
  ),
  price: moneyField(
    {
      tr: 'Fiyat, en küçük para birimi cinsinden (kuruş, sent): 1000, 10,00 demektir.',
      en: 'Price in the minor unit: 1000 means 10.00.',
    },
    { example: 18990 },
  ),
  currency_code: optional(
    parsedTextField<string>(
      {
        tr: 'ISO 4217 para birimi kodu; gönderilmezse üye iş yerinin para birimi kullanılır.',
        en: 'ISO 4217 currency code; default is the merchant’s currency.',
      },
      { max: 3, parse: parseCurrencyField },
    ),
  ),
  description: optional(
    textField(
      {
        tr: 'Açıklama; gönderilirse ödeme sayfasında gösterilir.',
        en: 'Description; shown on the payment page if it is set.',
      },
      { max: 1000, example: 'Taze çekilmiş, orta kavrulmuş.' },
    ),
  ),
  metadata: optional(metadataField),
}

export const productIdText: LocalizedText = { tr: 'Ürün numarası.', en: 'ID of the product.' }

export const ShownProduct = resourceSchema(
  'Product',
  { tr: 'Ürün.', en: 'Product of the merchant.' },
  {
    id: shownIntegerSchema(productIdText, 10000000000077),
    merchant_id: shownResourceFields.merchant_id,
    product_name: shownTextSchema({ tr: 'Ürünün adı.', en: 'Name of the product.' }, 'Türk kahvesi, 250 g'),
    price: shownIntegerSchema(
      { tr: 'Fiyat, en küçük para birimi cinsinden (kuruş, sent).', en: 'Price in the minor unit.' },
      18990,
    ),
    currency_code: shownCurrencySchema,
    quantity: shownIntegerSchema({ tr: 'Adet; her zaman 1.', en: 'Quantity; always 1.' }, 1),
    description: nullableSchema(
      shownTextSchema(
        { tr: 'Açıklama; yoksa null.', en: 'Description; null if not set.' },
        'Taze çekilmiş, orta kavrulmuş.',
      ),
    ),
    product_image: nullableSchema(
      shownTextSchema(
        {
          tr: 'Ürün görselinin adresi (WebP); yoksa null.',
          en: 'Address of an image of the product, as WebP; null if not set.',
        },
        null,
      ),
    ),
    created_at: shownResourceFields.created_at,
    updated_at: shownResourceFields.updated_at,
    formatted_price: shownTextSchema(
      { tr: 'Fiyatın virgülle ayrılmış ondalık yazımı.', en: 'Price as decimal text with a comma.' },
      '189,90',
    ),
    formatted_created_at: shownResourceFields.formatted_created_at,
    system_id: shownIntegerSchema(
      {
        tr: 'Kaydı oluşturan kanal: 1 API, 2 konsol, 3 içe aktarma.',
        en: 'Channel that created the record: 1 API, 2 console, 3 import.',
      },
      1,
    ),
    metadata: shownResourceFields.metadata,
    timeline: shownTimelineSchema(timelineTexts),
  },
)

function shownProduct(
  product: Product,
  merchant: Merchant,
  language: Language,
  apiUrl: string,
): Static<typeof ShownProduct> {
  const { merchantId, productImage: digest } = product
  return {
    ...shownRecord(product, timelineTexts, merchant, language),
    product_name: product.productName,
    price: product.priceMinor,
    currency_code: product.currencyCode,
    quantity: product.quantity,
    description: product.description,
    product_image: digest && pictureUrl(apiUrl, 'whole', { merchantId, digest }),
    formatted_price: decimalText(product.priceMinor, ','),
    system_id: product.systemId,
  }
}

/** Letters of a product's searchable fields. */
export const productSearchFields = {
  productName: 'n',
  description: 'd',
  currencyCode: 'k',
  price: 'p',
} as const

function productSearchVector(product: Product): string {
  return tsvectorOf(product.merchantId, {
    [productSearchFields.productName]: foldedWordsOf(product.productName),
    [productSearchFields.description]: foldedWordsOf(product.description),
    [productSearchFields.currencyCode]: [product.currencyCode],
    [productSearchFields.price]: [String(product.priceMinor)],
  })
}

export const productResource = new Resource({
  table: products,
  searchVector: productSearchVector,
  url: '/v1/products',
  id: { name: 'product_id', about: productIdText },
  schema: ShownProduct,
  show: shownProduct,
})
