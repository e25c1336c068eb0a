import { BoundedCache } from '../../kit/runtime/bounded-cache.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { join, jsonRowColumn, rowFromJson, sql } from '../../kit/runtime/sql.ts'
import type { Merchant } from './merchant.ts'
import type { MerchantKey } from './merchant-key.ts'

const merchantColumns = sql`id, name, live, made_by as "madeBy", state, language, country, time_zone as "timeZone",
  currency, page_lifetime_minutes as "pageLifetimeMinutes", white_label as "whiteLabel",
  products_required as "productsRequired", supports_3d as "supports3d", supports_2d as "supports2d",
  supports_installment as "supportsInstallment", origins, colour, settlement_days as "settlementDays",
  pre_auth_deadline_hours as "preAuthDeadlineHours", at_pre_auth_deadline as "atPreAuthDeadline",
  created_at as "createdAt", updated_at as "updatedAt"`

const keyColumns = sql`merchant_id as "merchantId", id, scope, hint, label, created_at as "createdAt", revoked_at as "revokedAt"`

export function merchantById(database: Sql, id: number): Promise<Merchant | undefined> {
  return database.maybe(sql`select ${merchantColumns} from merchants where id = ${id}`)
}

/** Column of a query about a payment `p`: its merchant. */
export const merchantColumn = jsonRowColumn(
  'merchant',
  sql`select ${merchantColumns} from merchants where id = p.merchant_id`,
)

/**
 * The merchant in a query whose CTE `merchant_of_batch` names the one merchant of all payments, so that it is looked up
 * once. It is text, so that an unchanged merchant is parsed once.
 */
export const sellerColumn = sql`(select row_to_json(found)::text from (select ${merchantColumns}
  from merchants where id = (select merchant_id from merchant_of_batch)) found) as seller`

const sellers = new BoundedCache<string, Merchant>(1_000)

export function sellerFromRow({ seller }: { seller: string }): Merchant {
  return sellers.get(seller, (text) => Object.freeze(merchantFromRow({ merchant: JSON.parse(text) })))
}

export function merchantFromRow({ merchant }: { merchant: object }): Merchant {
  return rowFromJson<Merchant>(merchant, { createdAt: true, updatedAt: true }, {})
}

/** The merchant, locked against other changes until the transaction ends. */
export function lockMerchantById(database: Sql, id: number): Promise<Merchant | undefined> {
  return database.maybe(sql`select ${merchantColumns} from merchants where id = ${id} for update`)
}

/**
 * Locks a merchant against other callers of this function until the transaction ends, for limits that count
 * all its records.
 */
export async function lockMerchant(database: Sql, id: number): Promise<void> {
  await database.many(sql`select id from merchants where id = ${id} for no key update`)
}

export function findDemoMerchant(database: Sql): Promise<Merchant | undefined> {
  return database.maybe(
    sql`select ${merchantColumns} from merchants where made_by = 'demo' order by id limit 1`,
  )
}

export function allMerchants(database: Sql): Promise<Merchant[]> {
  return database.many(sql`select ${merchantColumns} from merchants order by id`)
}

export async function insertMerchant(database: Sql, merchant: Merchant): Promise<void> {
  const m = merchant
  await database.run(sql`insert into merchants (id, name, live, made_by, state, language, country, time_zone, currency,
      page_lifetime_minutes, white_label, products_required, supports_3d, supports_2d, supports_installment, origins,
      colour, settlement_days, pre_auth_deadline_hours, at_pre_auth_deadline, created_at, updated_at)
    values (${join([m.id, m.name, m.live, m.madeBy, m.state, m.language, m.country, m.timeZone, m.currency])},
      ${join([m.pageLifetimeMinutes, m.whiteLabel, m.productsRequired, m.supports3d, m.supports2d])},
      ${join([m.supportsInstallment, m.origins, m.colour, m.settlementDays, m.preAuthDeadlineHours])},
      ${join([m.atPreAuthDeadline, m.createdAt, m.updatedAt])})`)
  await noteChange(database)
}

/** Writes all changeable columns of a merchant. */
export async function updateMerchant(database: Sql, merchant: Merchant): Promise<void> {
  const m = merchant
  await database.run(sql`update merchants set name = ${m.name}, state = ${m.state}, language = ${m.language},
      country = ${m.country}, time_zone = ${m.timeZone}, currency = ${m.currency},
      page_lifetime_minutes = ${m.pageLifetimeMinutes}, white_label = ${m.whiteLabel},
      products_required = ${m.productsRequired}, supports_3d = ${m.supports3d}, supports_2d = ${m.supports2d},
      supports_installment = ${m.supportsInstallment}, origins = ${m.origins}, colour = ${m.colour},
      settlement_days = ${m.settlementDays}, pre_auth_deadline_hours = ${m.preAuthDeadlineHours},
      at_pre_auth_deadline = ${m.atPreAuthDeadline}, updated_at = ${m.updatedAt}
    where id = ${m.id}`)
  await noteChange(database)
}

export async function insertKey(database: Sql, key: MerchantKey, hash: string): Promise<void> {
  await database.run(sql`insert into merchant_keys (merchant_id, id, scope, hash, hint, label, created_at)
    values (${key.merchantId}, ${key.id}, ${key.scope}, ${Buffer.from(hash, 'hex')}, ${key.hint}, ${key.label}, ${key.createdAt})`)
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
    where id = ${keyId} and revoked_at is null returning ${keyColumns}`)
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

export async function merchantChangeCount(database: Sql): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count from merchant_changes where only_row`,
  )
  return count
}
