import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { changeProductRoute } from './change-product.ts'
import { createProductRoute } from './create-product.ts'
import { deleteProductRoute } from './delete-product.ts'
import { deleteUnusedPictures } from './delete-unused-pictures.ts'
import { readProductRoute } from './read-product.ts'
import { removeProductImageRoute } from './remove-product-image.ts'
import { searchProductsRoute } from './search-products.ts'
import { setProductImageRoute } from './set-product-image.ts'

export { productFields } from './product.ts'
export { productsPart } from './store.ts'

/** Routes in the order of the documentation. */
export const productRoutes = [
  createProductRoute,
  readProductRoute,
  searchProductsRoute,
  changeProductRoute,
  deleteProductRoute,
  setProductImageRoute,
  removeProductImageRoute,
]

export const productJobs: BackgroundJob<Services>[] = [
  { name: 'delete unused pictures', everyMs: 60 * 60 * 1000, work: deleteUnusedPictures },
]
