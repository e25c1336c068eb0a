import type { Sql } from '../../kit/runtime/sql.ts'
import { jsonListText, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { RecordSearch } from '../database/record-search.ts'
import { searchNewestFirst } from '../database/record-search.ts'
import type { SearchResult } from '../database/search.ts'
import type { Product } from './product.ts'

/** The row as one column, for the same reason as in the store of customers. */
const packed = sql`json_build_array(merchant_id, id, product_name, price, currency_code, quantity, description,
  product_image, system_id, metadata, changes, created_at, updated_at) as packed`

interface Packed {
  packed: [
    merchantId: number,
    id: number,
    productName: string,
    priceMinor: number,
    currencyCode: string,
    quantity: number,
    description: string | null,
    productImage: string | null,
    systemId: number,
    metadata: Product['metadata'],
    changes: Product['changes'],
    createdAt: string,
    updatedAt: string,
  ]
}

function productOf({ packed: row }: Packed): Product {
  return {
    merchantId: row[0],
    id: row[1],
    productName: row[2],
    priceMinor: row[3],
    currencyCode: row[4],
    quantity: row[5],
    description: row[6],
    productImage: row[7],
    systemId: row[8],
    metadata: row[9],
    changes: row[10],
    createdAt: new Date(row[11]),
    updatedAt: new Date(row[12]),
  }
}

const selectOne = reusableQuery<OwnedId>`select ${packed} from products
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`
const selectForChange = reusableQuery<OwnedId>`select ${packed} from products
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null for update`

export async function productById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Product | undefined> {
  const row = await database.maybe<Packed>(selectOne({ merchantId, id }))
  return row && productOf(row)
}

/** The product, locked against other changes until the transaction ends. */
export async function productForUpdate(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Product | undefined> {
  const row = await database.maybe<Packed>(selectForChange({ merchantId, id }))
  return row && productOf(row)
}

/** A product as its row stores it, with its searchable words as a tsvector. */
type Row = Omit<Product, 'metadata' | 'changes'> & { metadata: string; changes: string; words: string }

const insertOne = reusableQuery<Row>`insert into products (merchant_id, id, product_name, price, currency_code, quantity,
    description, product_image, system_id, metadata, changes, words, created_at, updated_at)
  values (${'merchantId'}, ${'id'}, ${'productName'}, ${'priceMinor'}, ${'currencyCode'}, ${'quantity'},
    ${'description'}, ${'productImage'}, ${'systemId'}, ${'metadata'}, ${'changes'}, ${'words'}::tsvector,
    ${'createdAt'}, ${'updatedAt'})`

export async function insertProduct(database: Sql, product: Product, words: string): Promise<void> {
  await database.run(insertOne(rowOf(product, words)))
}

const updateOne = reusableQuery<Row>`update products set product_name = ${'productName'}, price = ${'priceMinor'},
    currency_code = ${'currencyCode'}, description = ${'description'}, metadata = ${'metadata'},
    changes = ${'changes'}, words = ${'words'}::tsvector, updated_at = ${'updatedAt'}
  where merchant_id = ${'merchantId'} and id = ${'id'}`

/** Writes all changeable columns of a product. */
export async function updateProduct(database: Sql, product: Product, words: string): Promise<void> {
  await database.run(updateOne(rowOf(product, words)))
}

function rowOf(product: Product, words: string): Row {
  return {
    ...product,
    metadata: jsonListText(product.metadata),
    changes: jsonListText(product.changes),
    words,
  }
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

export async function productsMatching(
  database: Sql,
  search: Omit<RecordSearch, 'table' | 'columns'>,
): Promise<SearchResult<Product>> {
  const matches = await searchNewestFirst<Packed>(database, { ...search, table: 'products', columns: packed })
  return { ...matches, items: matches.items.map(productOf) }
}

/**
 * CTE of a query whose `requested_products` has merchant_id, id and position: the existing ones of the requested products,
 * repeated as often as requested.
 */
export const productsPart = sql`select requested_products.position, product.id, product.product_name, product.price,
    product.currency_code, product.description
  from requested_products join products product
    on product.merchant_id = requested_products.merchant_id and product.id = requested_products.id and product.deleted_at is null`
