import { changeProductRoute } from './change-product.ts'
import { createProductRoute } from './create-product.ts'
import { deleteProductRoute } from './delete-product.ts'
import { readProductRoute } from './read-product.ts'
import { searchProductsRoute } from './search-products.ts'

export { productFields } from './product.ts'
export { productsPart } from './store.ts'

/** Routes in the order of the documentation. */
export const productRoutes = [
  createProductRoute,
  readProductRoute,
  searchProductsRoute,
  changeProductRoute,
  deleteProductRoute,
]
