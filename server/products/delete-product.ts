import { envelopeResponseDefinition, nullResultSchema, route } from '../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { productIdParams } from './product.ts'
import { softDeleteProduct } from './store.ts'

export const deleteProductRoute = route({
  method: 'DELETE',
  url: '/v1/products/:product_id',
  summary: { tr: 'Ürünü sil', en: 'Delete product' },
  description: {
    tr: 'Ürünü siler: kayıt artık okunamaz ve aramalarda çıkmaz. Bu ürünle yapılmış ödemelerin kayıtları değişmez.',
    en: 'Deletes the product: it can no longer be read, and searches do not find it. Payments with the product keep their recorded data.',
  },
  credential: 'secret',
  params: productIdParams,
  answer: envelopeResponseDefinition(nullResultSchema, {
    tr: 'Ürün silindi.',
    en: 'The product was deleted.',
  }),
  handle: async (services: Services, merchant: Merchant, { params }) => {
    await deleteProduct(services, merchant, params.product_id)
    return null
  },
})

export async function deleteProduct(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
  id: number,
): Promise<void> {
  if (!(await softDeleteProduct(sql, merchant.id, id, clock.now()))) throw new Refused(noSuchResource)
}
