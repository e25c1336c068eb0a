import { productResource } from './product.ts'

export const readProductRoute = productResource.routeToRead({
  summary: { tr: 'Ürünü getir', en: 'Read product' },
  description: { tr: 'Bir ürünü döndürür.', en: 'Returns a product.' },
})
