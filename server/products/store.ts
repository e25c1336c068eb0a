import { sql } from '../../kit/runtime/sql.ts'

/**
 * CTE of a query whose `requested_products` has merchant_id, id and position: the existing ones of the requested products,
 * repeated as often as requested.
 */
export const productsPart = sql`select requested_products.position, product.id, product.product_name, product.price,
    product.currency_code, product.description
  from requested_products join products product
    on product.merchant_id = requested_products.merchant_id and product.id = requested_products.id and product.deleted_at is null`
