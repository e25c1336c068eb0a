import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

/**
 * CTE of a query whose `requested_products` has id and position: the merchant's existing ones of the requested
 * products, repeated as often as requested.
 */
export function productsPart(merchantId: SqlFragment): SqlFragment {
  return sql`select requested_products.position, product.id, product.product_name, product.price,
      product.currency_code, product.description
    from requested_products join products product
      on product.merchant_id = ${merchantId} and product.id = requested_products.id and product.deleted_at is null`
}
