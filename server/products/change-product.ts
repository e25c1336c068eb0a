import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { timestampedMetadata } from '../../kit/api/metadata.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { withTimelineChange } from '../../kit/api/timeline.ts'
import { schemaForUpdate } from '../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Product } from './product.ts'
import { productFields, productIdParams, productSearchVector, ShownProduct, shownProduct } from './product.ts'
import { productForUpdate, updateProduct } from './store.ts'

const ChangeProduct = schemaForUpdate(productFields, ['description', 'metadata'], {
  price: { example: 19990 },
  currency_code: {
    about: {
      tr: 'ISO 4217 para birimi kodu. Gönderilmezse değişmez.',
      en: 'ISO 4217 currency code. If it is not sent, it stays unchanged.',
    },
  },
})

export const changeProductRoute = route({
  method: 'POST',
  url: '/v1/products/:product_id',
  summary: { tr: 'Ürünü değiştir', en: 'Change product' },
  description: {
    tr: 'Yalnızca gönderilen alanları değiştirir ve ürünün tamamını döndürür. İsteğe bağlı bir alan boş gönderilirse silinir. `metadata` gönderilirse önceki çiftlerin tamamının yerine geçer. Başlatılmış ödemeler, başlatıldıkları andaki fiyatı korur.',
    en: 'Changes only the fields that you send and returns the whole product. An optional field that is sent empty is cleared. If `metadata` is sent, it replaces all previous pairs. Payments keep the price with which they were started.',
  },
  credential: 'secret',
  params: productIdParams,
  body: ChangeProduct,
  answer: bareResponseDefinition(ShownProduct),
  handle: async (services: Services, merchant: Merchant, { params, body, language }) =>
    shownProduct(await changeProduct(services, merchant, params.product_id, body), merchant, language),
})

/**
 * Changes the given fields. Guarantee: an update without a change leaves no trace, in the timeline or
 * elsewhere.
 */
export function changeProduct(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
  id: number,
  input: Static<typeof ChangeProduct>,
): Promise<Product> {
  return sql.transaction(async (transaction) => {
    const before = await productForUpdate(transaction, merchant.id, id)
    if (!before) throw new Refused(noSuchResource)
    const now = clock.now()
    const after = changed(before, input, now)
    if (isDeepStrictEqual(after, before)) return before
    const noted = { ...after, changes: withTimelineChange(before.changes, now), updatedAt: now }
    await updateProduct(transaction, noted, productSearchVector(noted))
    return noted
  })
}

function changed(before: Product, input: Static<typeof ChangeProduct>, now: Date): Product {
  const { description, metadata } = input
  return {
    ...before,
    productName: input.product_name ?? before.productName,
    priceMinor: input.price ?? before.priceMinor,
    currencyCode: input.currency_code ?? before.currencyCode,
    description: description === undefined ? before.description : description,
    metadata:
      metadata === undefined ? before.metadata : timestampedMetadata(metadata ?? [], now, before.metadata),
  }
}
