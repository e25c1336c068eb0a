import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

/**
 * CTE of a query whose `requested_products` has id and position: the merchant's existing ones of the requested
 * products, repeated as often as requested.
 */
export function productsPart(merchantId: SqlFragment): SqlFragment {
  return sql`select requested_products.position, product.id, product.product_name, product.price,
      product.currency_code, product.description, product.product_image
    from requested_products join products product
      on product.merchant_id = ${merchantId} and product.id = requested_products.id and product.deleted_at is null`
}

/** Merchant of a product that an operator names by its id alone. The primary key is looked up once for each merchant. */
export async function merchantOfProduct(database: Sql, id: number): Promise<number | undefined> {
  const row = await database.maybe<{ merchantId: number }>(sql`select m.id as "merchantId" from merchants m
    join products p on p.merchant_id = m.id and p.id = ${id} and p.deleted_at is null`)
  return row?.merchantId
}

/** Query for the digests of a merchant's logo, of its products' images, and of those of products deleted since a time. */
export function picturesInUse(merchantId: number, since: Date): SqlFragment {
  return sql`select logo from merchants where id = ${merchantId} and logo is not null
    union all select product_image from products
    where merchant_id = ${merchantId} and product_image is not null
      and (deleted_at is null or deleted_at >= ${since})`
}
