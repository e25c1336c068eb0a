import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { productIdText, ShownProduct } from './product.ts'
import { setProductImage } from './set-product-image.ts'

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
    setProductImage(services, merchant, { id: params.product_id, language }, undefined),
})
