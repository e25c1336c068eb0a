import { productResource } from './product.ts'

export const deleteProductRoute = productResource.routeToDelete({
  summary: { tr: 'Ürünü sil', en: 'Delete product' },
  description: {
    tr: 'Ürünü siler: kayıt artık okunamaz ve aramalarda çıkmaz. Bu ürünle yapılmış ödemelerin kayıtları değişmez.',
    en: 'Deletes the product: it can no longer be read, and searches do not find it. Payments with the product keep their recorded data.',
  },
  message: { tr: 'Ürün silindi.', en: 'The product was deleted.' },
})
