import { BoundedCache } from '../../kit/runtime/bounded-cache.ts'
import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { Merchant } from './merchant.ts'
import { merchants } from './merchant.ts'
import type { MerchantKey } from './merchant-key.ts'
import { merchantKeys } from './merchant-key.ts'

const keyColumns = merchantKeys.omit('hash').columns()

export function merchantById(database: Sql, id: number): Promise<Merchant | undefined> {
  return database.maybe(sql`select ${merchants.columns()} from merchants where id = ${id}`)
}

/** Part of a query: the merchant, if it is active. */
export const activeMerchantPart = (id: number) =>
  sql`select id from merchants where id = ${id} and state = 'active'`

/** Column of a query about a payment `p`: its merchant. */
export const merchantColumn = sql`(select ${merchants.packed()} from merchants where id = p.merchant_id) as merchant`

/**
 * Column: the one merchant of all rows of a query, which is looked up once. It is text, so that an unchanged
 * merchant is parsed once.
 */
export function sellerColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select ${merchants.packed()}::text from merchants where id = ${merchantId}) as seller`
}

const sellers = new BoundedCache<string, Merchant>(1_000)

export function sellerFromRow({ seller }: { seller: string }): Merchant {
  return sellers.get(seller, (text) => Object.freeze(merchants.unpack(JSON.parse(text))))
}

export function merchantFromRow({ merchant }: { merchant: unknown[] }): Merchant {
  return merchants.unpack(merchant)
}

/** The merchant, locked against other changes until the transaction ends. */
export function lockMerchantById(database: Sql, id: number): Promise<Merchant | undefined> {
  return database.maybe(sql`select ${merchants.columns()} from merchants where id = ${id} for update`)
}

/**
 * Locks a merchant against other callers of this function until the transaction ends, for limits that count
 * all its records.
 */
export async function lockMerchant(database: Sql, id: number): Promise<void> {
  await database.many(sql`select id from merchants where id = ${id} for no key update`)
}

export function allMerchants(database: Sql): Promise<Merchant[]> {
  return database.many(sql`select ${merchants.columns()} from merchants order by id`)
}

/** Ids of all merchants. */
export async function merchantIds(database: Sql): Promise<number[]> {
  const rows = await database.many<{ id: number }>(sql`select id from merchants order by id`)
  return rows.map(({ id }) => id)
}

export async function insertMerchant(database: Sql, merchant: Merchant): Promise<void> {
  await database.run(sql`insert into merchants (${merchants.names}) values (${merchants.values(merchant)})`)
  await noteChange(database)
}

const changeable = merchants.omit('id', 'live', 'madeBy', 'createdAt')

/** Writes all changeable columns of a merchant. */
export async function updateMerchant(database: Sql, merchant: Merchant): Promise<void> {
  await database.run(sql`update merchants set ${changeable.assignments(merchant)} where id = ${merchant.id}`)
  await noteChange(database)
}

export async function insertKey(database: Sql, key: MerchantKey, hash: string): Promise<void> {
  const row = { ...key, hash: Buffer.from(hash, 'hex') }
  await database.run(
    sql`insert into merchant_keys (${merchantKeys.names}) values (${merchantKeys.values(row)})`,
  )
  await noteChange(database)
}

export function keyByHash(database: Sql, hash: string): Promise<MerchantKey | undefined> {
  return database.maybe(sql`select ${keyColumns} from merchant_keys where hash = ${Buffer.from(hash, 'hex')}`)
}

export function keysOfMerchant(database: Sql, merchantId: number): Promise<MerchantKey[]> {
  return database.many(
    sql`select ${keyColumns} from merchant_keys where merchant_id = ${merchantId} order by id`,
  )
}

/** Revokes a key. Returns it, or undefined if there is no such active key. */
export async function revokeKeyById(
  database: Sql,
  keyId: number,
  now: Date,
): Promise<MerchantKey | undefined> {
  const key = await database.maybe<MerchantKey>(sql`update merchant_keys set revoked_at = ${now}
    where merchant_id = any(array(select id from merchants)) and id = ${keyId} and revoked_at is null
    returning ${keyColumns}`)
  await noteChange(database)
  return key
}

/** Keys revoked after `since`: only their tokens can still be in use. */
export async function keysRevokedSince(database: Sql, since: Date): Promise<number[]> {
  const rows = await database.many<{ id: number }>(
    sql`select id from merchant_keys where revoked_at > ${since}`,
  )
  return rows.map((row) => row.id)
}

/** Every write above invalidates the merchant cache of every instance once it commits. */
async function noteChange(database: Sql): Promise<void> {
  await database.run(sql`update merchant_changes set count = count + 1 where only_row`)
}

/** Number that differs after every change of a merchant or a key. */
export const merchantVersion = sql`select count from merchant_changes where only_row`

export async function merchantChangeCount(database: Sql): Promise<number> {
  return (await database.one<{ count: number }>(merchantVersion)).count
}
