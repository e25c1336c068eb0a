import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Product } from './product.ts'
import { productIdParams, ShownProduct, shownProduct } from './product.ts'
import { productById } from './store.ts'

export const readProductRoute = route({
  method: 'GET',
  url: '/v1/products/:product_id',
  summary: { tr: 'Ürünü getir', en: 'Read product' },
  description: { tr: 'Bir ürünü döndürür.', en: 'Returns a product.' },
  credential: 'secret',
  params: productIdParams,
  answer: bareResponseDefinition(ShownProduct),
  handle: async (services: Services, merchant: Merchant, { params, language }) => {
    const product = await requireProduct(services, merchant, params.product_id)
    return shownProduct(product, merchant, language)
  },
})

export async function requireProduct(
  { sql }: Pick<Services, 'sql'>,
  merchant: Merchant,
  id: number,
): Promise<Product> {
  const product = await productById(sql, merchant.id, id)
  if (!product) throw new Refused(noSuchResource)
  return product
}
