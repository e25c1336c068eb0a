import type { Static } from 'typebox'
import type { TimestampedMetadataItem } from '../../kit/api/metadata.ts'
import { metadataField, shownMetadata, shownMetadataSchema } from '../../kit/api/metadata.ts'
import {
  nullableSchema,
  resourceSchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import type { TimelineChange, TimelineTexts } from '../../kit/api/timeline.ts'
import { shownTimeline, shownTimelineSchema } from '../../kit/api/timeline.ts'
import {
  idField,
  moneyField,
  objectSchema,
  optional,
  parsedTextField,
  textField,
} from '../../kit/input/fields.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import {
  bigint,
  defineMerchantTable,
  integer,
  jsonb,
  text,
  timestamptz,
  tsvector,
} from '../../kit/runtime/table.ts'
import type { Language } from '../../kit/text/locale.ts'
import { displayTime, isoTime } from '../../kit/text/zoned-time.ts'
import { foldedWordsOf, tsvectorOf } from '../database/full-text-search.ts'
import type { Merchant } from '../merchants/index.ts'

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
  productImage: text().orNull(),
  systemId: integer(),
  metadata: jsonb<TimestampedMetadataItem[]>(),
  changes: jsonb<TimelineChange[]>(),
  /** Searchable words; empty once the product is deleted. */
  words: tsvector(),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
  deletedAt: timestamptz().orNull(),
})

export const productColumns = products.omit('words', 'deletedAt')

/** An article that a merchant sells. */
export type Product = RowOf<typeof productColumns>

const timelineTexts: TimelineTexts = {
  created: { tr: 'Ürün oluşturuldu.', en: 'The product was created.' },
  updated: { tr: 'Ürün güncellendi.', en: 'The product was updated.' },
}

/** Fields of a product for creation and update. */
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

export const productIdParams = objectSchema({
  product_id: idField({ tr: 'Ürün numarası.', en: 'ID of the product.' }),
})

export const ShownProduct = resourceSchema(
  'Product',
  { tr: 'Ürün.', en: 'Product of the merchant.' },
  {
    id: shownIntegerSchema({ tr: 'Ürün numarası.', en: 'ID of the product.' }, 10000000000077),
    merchant_id: shownIntegerSchema(
      { tr: 'Kaydın ait olduğu üye iş yerinin numarası.', en: 'ID of the merchant that owns the record.' },
      10000000000001,
    ),
    product_name: shownTextSchema({ tr: 'Ürünün adı.', en: 'Name of the product.' }, 'Türk kahvesi, 250 g'),
    price: shownIntegerSchema(
      { tr: 'Fiyat, en küçük para birimi cinsinden (kuruş, sent).', en: 'Price in the minor unit.' },
      18990,
    ),
    currency_code: shownTextSchema(
      { tr: 'ISO 4217 para birimi kodu.', en: 'ISO 4217 currency code.' },
      'TRY',
    ),
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
          tr: 'Ürün görselinin adresi; yoksa null.',
          en: 'Address of an image of the product; null if not set.',
        },
        null,
      ),
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'Time of creation.' }),
    updated_at: shownTimeSchema({ tr: 'Son değişikliğin tarihi ve saati.', en: 'Time of the last change.' }),
    formatted_price: shownTextSchema(
      { tr: 'Fiyatın virgülle ayrılmış ondalık yazımı.', en: 'Price as decimal text with a comma.' },
      '189,90',
    ),
    formatted_created_at: shownTextSchema(
      {
        tr: 'Oluşturulduğu tarih ve saat, gösterim biçiminde.',
        en: 'Time of creation, as display text.',
      },
      '15.11.2026 09:30',
    ),
    system_id: shownIntegerSchema(
      {
        tr: 'Kaydı oluşturan kanal: 1 API, 2 konsol, 3 içe aktarma.',
        en: 'Channel that created the record: 1 API, 2 console, 3 import.',
      },
      1,
    ),
    metadata: shownMetadataSchema,
    timeline: shownTimelineSchema(timelineTexts),
  },
)

export function shownProduct(
  product: Product,
  merchant: Merchant,
  language: Language,
): Static<typeof ShownProduct> {
  const { timeZone } = merchant
  return {
    id: product.id,
    merchant_id: product.merchantId,
    product_name: product.productName,
    price: product.priceMinor,
    currency_code: product.currencyCode,
    quantity: product.quantity,
    description: product.description,
    product_image: product.productImage,
    created_at: isoTime(product.createdAt, timeZone),
    updated_at: isoTime(product.updatedAt, timeZone),
    formatted_price: decimalText(product.priceMinor, ','),
    formatted_created_at: displayTime(product.createdAt, timeZone),
    system_id: product.systemId,
    metadata: shownMetadata(product.metadata, merchant),
    timeline: shownTimeline(product, timelineTexts, language, timeZone),
  }
}

/** Letters of a product's searchable fields. */
export const productSearchFields = {
  productName: 'n',
  description: 'd',
  currencyCode: 'k',
  price: 'p',
} as const

/** Searchable words of a product, as a tsvector. */
export function productSearchVector(product: Product): string {
  return tsvectorOf(product.merchantId, {
    [productSearchFields.productName]: foldedWordsOf(product.productName),
    [productSearchFields.description]: foldedWordsOf(product.description),
    [productSearchFields.currencyCode]: [product.currencyCode],
    [productSearchFields.price]: [String(product.priceMinor)],
  })
}
