import type { Static } from 'typebox'
import { timestampedMetadata } from '../../kit/api/metadata.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Product } from './product.ts'
import { productFields, productSearchVector, ShownProduct, shownProduct, systemIds } from './product.ts'
import { insertProduct } from './store.ts'

const CreateProduct = objectSchema(productFields)

export const createProductRoute = route({
  method: 'POST',
  url: '/v1/products',
  summary: { tr: 'Ürün oluştur', en: 'Create product' },
  description: {
    tr: 'Yeni bir ürün kaydeder. Ürün numarası, ödeme başlatılırken `product_ids` içinde gönderilebilir; ürünün fiyatı ödeme tutarına dahildir.',
    en: 'Creates a product. Its ID can be sent in `product_ids` when a payment is started; its price is part of the payment’s amount.',
  },
  credential: 'secret',
  body: CreateProduct,
  answer: bareResponseDefinition(ShownProduct),
  handle: async (services: Services, merchant: Merchant, { body, language }) =>
    shownProduct(await createProduct(services, merchant, body), merchant, language),
})

/** Creates a product, in the merchant's currency if none is given. */
export async function createProduct(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  merchant: Merchant,
  input: Static<typeof CreateProduct>,
): Promise<Product> {
  const now = clock.now()
  const product: Product = {
    merchantId: merchant.id,
    id: await ids.next(),
    productName: input.product_name,
    priceMinor: input.price,
    currencyCode: input.currency_code ?? merchant.currency,
    quantity: 1,
    description: input.description ?? null,
    productImage: null,
    systemId: systemIds.api,
    metadata: timestampedMetadata(input.metadata ?? [], now),
    changes: [],
    createdAt: now,
    updatedAt: now,
  }
  await insertProduct(sql, product, productSearchVector(product))
  return product
}
