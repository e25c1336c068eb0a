import type { Search } from '../database/search.ts'
import { newestFirst } from '../database/search.ts'
import type { Found } from '../kit/search.ts'
import type { Sql } from '../kit/sql.ts'
import { fixed, listText, sql } from '../kit/sql.ts'
import type { Product } from './product.ts'

const columns = sql`merchant_id as "merchantId", id, product_name as "productName", price as "priceMinor",
  currency_code as "currencyCode", quantity, description, product_image as "productImage", system_id as "systemId",
  metadata, changes, created_at as "createdAt", updated_at as "updatedAt"`

const selectOne = fixed<{ merchantId: number; id: number }>`select ${columns} from products
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`

export function productById(database: Sql, merchantId: number, id: number): Promise<Product | undefined> {
  return database.maybe(selectOne({ merchantId, id }))
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

/** A product as its row has it, with what it is found by, as a tsvector. */
type Row = Omit<Product, 'metadata' | 'changes'> & { metadata: string; changes: string; words: string }

const insertOne = fixed<Row>`insert into products (merchant_id, id, product_name, price, currency_code, quantity,
    description, product_image, system_id, metadata, changes, words, created_at, updated_at)
  values (${'merchantId'}, ${'id'}, ${'productName'}, ${'priceMinor'}, ${'currencyCode'}, ${'quantity'},
    ${'description'}, ${'productImage'}, ${'systemId'}, ${'metadata'}, ${'changes'}, ${'words'}::tsvector,
    ${'createdAt'}, ${'updatedAt'})`

export async function insertProduct(database: Sql, product: Product, words: string): Promise<void> {
  await database.run(insertOne(rowOf(product, words)))
}

const updateOne = fixed<Row>`update products set product_name = ${'productName'}, price = ${'priceMinor'},
    currency_code = ${'currencyCode'}, description = ${'description'}, metadata = ${'metadata'},
    changes = ${'changes'}, words = ${'words'}::tsvector, updated_at = ${'updatedAt'}
  where merchant_id = ${'merchantId'} and id = ${'id'}`

/** Writes everything about a product that may change. */
export async function updateProduct(database: Sql, product: Product, words: string): Promise<void> {
  await database.run(updateOne(rowOf(product, words)))
}

function rowOf(product: Product, words: string): Row {
  return { ...product, metadata: listText(product.metadata), changes: listText(product.changes), words }
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
