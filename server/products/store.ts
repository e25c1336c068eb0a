import type { Search } from '../database/search.ts'
import { newestFirst } from '../database/search.ts'
import type { Found } from '../kit/search.ts'
import type { Sql } from '../kit/sql.ts'
import { join, listText, sql } from '../kit/sql.ts'
import type { Product } from './product.ts'

const columns = sql`merchant_id as "merchantId", id, product_name as "productName", price as "priceMinor",
  currency_code as "currencyCode", quantity, description, product_image as "productImage", system_id as "systemId",
  metadata, changes, created_at as "createdAt", updated_at as "updatedAt"`

export function productById(database: Sql, merchantId: number, id: number): Promise<Product | undefined> {
  return database.maybe(
    sql`select ${columns} from products where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`,
  )
}

/** The same, held against other changes until the transaction ends. */
export function productForChange(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Product | undefined> {
  return database.maybe(
    sql`select ${columns} from products where merchant_id = ${merchantId} and id = ${id} and deleted_at is null
      for update`,
  )
}

/** `words` is what the product is found by, as a tsvector. */
export async function insertProduct(database: Sql, product: Product, words: string): Promise<void> {
  const p = product
  await database.run(sql`insert into products (merchant_id, id, product_name, price, currency_code, quantity,
      description, product_image, system_id, metadata, changes, words, created_at, updated_at)
    values (${join([p.merchantId, p.id, p.productName, p.priceMinor, p.currencyCode, p.quantity, p.description])},
      ${join([p.productImage, p.systemId, listText(p.metadata), listText(p.changes)])},
      ${words}::tsvector, ${p.createdAt}, ${p.updatedAt})`)
}

/** Writes everything about a product that may change. */
export async function updateProduct(database: Sql, product: Product, words: string): Promise<void> {
  const p = product
  await database.run(sql`update products set product_name = ${p.productName}, price = ${p.priceMinor},
      currency_code = ${p.currencyCode}, description = ${p.description}, metadata = ${listText(p.metadata)},
      changes = ${listText(p.changes)}, words = ${words}::tsvector, updated_at = ${p.updatedAt}
    where merchant_id = ${p.merchantId} and id = ${p.id}`)
}

/** Hides a product that is not hidden yet; says whether there was one. */
export async function hideProduct(
  database: Sql,
  merchantId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const count = await database.run(sql`update products set deleted_at = ${now}, words = ''
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
  return count === 1
}

export function productsFound(
  database: Sql,
  search: Omit<Search, 'table' | 'columns'>,
): Promise<Found<Product>> {
  return newestFirst(database, { ...search, table: 'products', columns })
}
