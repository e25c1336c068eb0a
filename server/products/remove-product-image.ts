import type { Static } from 'typebox'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { productIdText, productResource, ShownProduct } from './product.ts'

/** Guarantee: removing an image that is not there leaves no trace. */
export const removeProductImageRoute = route({
  method: 'DELETE',
  url: '/v1/products/:product_id/image',
  summary: { tr: 'Ürün görselini kaldır', en: 'Remove product image' },
  description: {
    tr: 'Ürünün görselini kaldırır ve ürünün tamamını döndürür. Görseli olmayan bir ürün değişmez.',
    en: 'Removes the image of the product and returns the whole product. A product without an image stays unchanged.',
  },
  credential: 'secret',
  params: objectSchema({ product_id: idField(productIdText) }),
  answer: bareResponseDefinition(ShownProduct),
  handle: (services: Services, merchant: Merchant, { params, language }) =>
    removeProductImage(services, merchant, { id: params.product_id, language }),
})

export function removeProductImage(
  services: Services,
  merchant: Merchant,
  request: { id: number; language: Language },
): Promise<Static<typeof ShownProduct>> {
  return productResource.change(services, merchant, request, (before) => ({ ...before, productImage: null }))
}
