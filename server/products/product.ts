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
import type { Language } from '../../kit/text/locale.ts'
import { displayTime, isoTime } from '../../kit/text/zoned-time.ts'
import { foldedWordsOf, tsvectorOf } from '../database/full-text-search.ts'
import type { Merchant } from '../merchants/index.ts'

/** Channel that created a record, as shown in `system_id`. */
export const systemIds = { api: 1, console: 2, import: 3 } as const

/** An article that a merchant sells. */
export interface Product {
  merchantId: number
  id: number
  productName: string
  priceMinor: number
  currencyCode: string
  quantity: number
  description: string | null
  productImage: string | null
  systemId: number
  metadata: TimestampedMetadataItem[]
  changes: TimelineChange[]
  createdAt: Date
  updatedAt: Date
}

const timelineTexts: TimelineTexts = {
  created: { tr: 'Ürün oluşturuldu.', en: 'The product was created.' },
  updated: { tr: 'Ürün güncellendi.', en: 'The product was updated.' },
}

/** Fields of a product for creation and update. */
export const productFields = {
  product_name: textField(
    { tr: 'Ürünün adı.', en: 'The name of the product.' },
    { max: 100, example: 'Türk kahvesi, 250 g' },
  ),
  price: moneyField(
    {
      tr: 'En küçük para birimi cinsinden (kuruş, sent) fiyatı: 1000, 10,00 demektir.',
      en: 'Its price in the minor unit: 1000 means 10.00.',
    },
    { example: 18990 },
  ),
  currency_code: optional(
    parsedTextField<string>(
      {
        tr: 'ISO 4217 para birimi; verilmezse üye iş yerinin para birimi kullanılır.',
        en: 'The ISO 4217 currency; the merchant’s own if not given.',
      },
      { max: 3, parse: parseCurrencyField },
    ),
  ),
  description: optional(
    textField(
      {
        tr: 'Açıklaması; verilirse ödeme sayfasında gösterilir.',
        en: 'A description; shown on the payment page when given.',
      },
      { max: 1000, example: 'Taze çekilmiş, orta kavrulmuş.' },
    ),
  ),
  metadata: optional(metadataField),
}

export const productIdParams = objectSchema({
  product_id: idField({ tr: 'Ürün numarası.', en: 'The id of the product.' }),
})

export const ShownProduct = resourceSchema(
  'Product',
  { tr: 'Bir ürün.', en: 'A product.' },
  {
    id: shownIntegerSchema({ tr: 'Ürün numarası.', en: 'Its id.' }, 10000000000077),
    merchant_id: shownIntegerSchema(
      { tr: 'Kaydın ait olduğu üye iş yerinin numarası.', en: 'The merchant that it belongs to.' },
      10000000000001,
    ),
    product_name: shownTextSchema({ tr: 'Adı.', en: 'Its name.' }, 'Türk kahvesi, 250 g'),
    price: shownIntegerSchema(
      { tr: 'En küçük para birimi cinsinden (kuruş, sent) fiyatı.', en: 'Its price in the minor unit.' },
      18990,
    ),
    currency_code: shownTextSchema({ tr: 'ISO 4217 para birimi.', en: 'The ISO 4217 currency.' }, 'TRY'),
    quantity: shownIntegerSchema({ tr: 'Adet; her zaman 1.', en: 'How many; always 1.' }, 1),
    description: nullableSchema(
      shownTextSchema(
        { tr: 'Açıklaması; yoksa null.', en: 'Its description, or null.' },
        'Taze çekilmiş, orta kavrulmuş.',
      ),
    ),
    product_image: nullableSchema(
      shownTextSchema(
        { tr: 'Ürün görselinin adresi; yoksa null.', en: 'The address of a picture, or null.' },
        null,
      ),
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'When it was created.' }),
    updated_at: shownTimeSchema({ tr: 'Son değiştiği tarih ve saat.', en: 'When it last changed.' }),
    formatted_price: shownTextSchema(
      { tr: 'Fiyatın virgülle ayrılmış ondalık yazımı.', en: 'The price as decimal text with a comma.' },
      '189,90',
    ),
    formatted_created_at: shownTextSchema(
      {
        tr: 'Oluşturulduğu tarih ve saat, ekranda gösterilecek biçimde.',
        en: 'When it was created, to be shown to people.',
      },
      '15.11.2026 09:30',
    ),
    system_id: shownIntegerSchema(
      {
        tr: 'Kaydı oluşturan kanal: 1 API, 2 konsol, 3 içe aktarma.',
        en: 'The channel that made the record: 1 API, 2 console, 3 import.',
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
