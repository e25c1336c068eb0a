import type { Sql } from '../../kit/runtime/sql.ts'
import { reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { RecordSearch } from '../database/record-search.ts'
import { searchNewestFirst } from '../database/record-search.ts'
import type { SearchResult } from '../database/search.ts'
import type { Product } from './product.ts'
import { productColumns, products } from './product.ts'

const packed = sql`${productColumns.packed()} as packed`

const selectOne = reusableQuery<OwnedId>`select ${packed} from products
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`
const selectForChange = reusableQuery<OwnedId>`select ${packed} from products
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null for update`

export async function productById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Product | undefined> {
  const row = await database.maybe<{ packed: unknown[] }>(selectOne({ merchantId, id }))
  return row && productColumns.unpack(row.packed)
}

/** The product, locked against other changes until the transaction ends. */
export async function productForUpdate(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Product | undefined> {
  const row = await database.maybe<{ packed: unknown[] }>(selectForChange({ merchantId, id }))
  return row && productColumns.unpack(row.packed)
}

const inserted = products.omit('deletedAt')
const changeable = inserted.omit('merchantId', 'id', 'quantity', 'productImage', 'systemId', 'createdAt')

const insertOne = reusableQuery<RowOf<typeof inserted>>`insert into products (${inserted.names})
  values (${inserted.valueParameters})`

export async function insertProduct(database: Sql, product: Product, words: string): Promise<void> {
  await database.run(insertOne({ ...product, words }))
}

const updateOne = reusableQuery<
  RowOf<typeof changeable> & OwnedId
>`update products set ${changeable.assignmentParameters}
  where merchant_id = ${'merchantId'} and id = ${'id'}`

/** Writes all changeable columns of a product. */
export async function updateProduct(database: Sql, product: Product, words: string): Promise<void> {
  await database.run(updateOne({ ...product, words }))
}

/** Hides a product that is not hidden yet. Returns true if there was one. */
export async function softDeleteProduct(
  database: Sql,
  merchantId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const count = await database.run(sql`update products set deleted_at = ${now}, words = ''
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
  return count === 1
}

export function productsMatching(
  database: Sql,
  search: Omit<RecordSearch<Product>, 'table'>,
): Promise<SearchResult<Product>> {
  return searchNewestFirst(database, { ...search, table: productColumns })
}

/**
 * CTE of a query whose `requested_products` has merchant_id, id and position: the existing ones of the requested products,
 * repeated as often as requested.
 */
export const productsPart = sql`select requested_products.position, product.id, product.product_name, product.price,
    product.currency_code, product.description
  from requested_products join products product
    on product.merchant_id = requested_products.merchant_id and product.id = requested_products.id and product.deleted_at is null`
