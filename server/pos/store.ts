import type { ScaledPercentage } from '../../kit/money/percentage.ts'
import { parsePercentageField, percentageText } from '../../kit/money/percentage.ts'
import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, parameter, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { SealedValue } from '../../kit/security/seal.ts'
import type { Bearer, Commission, PricedPos } from './commission.ts'
import { bearers, commissionRates } from './commission.ts'
import type { Pos } from './pos.ts'
import { posCredentials } from './pos.ts'

const posTable = posCredentials.omit('secrets', 'secretsKeyId', 'version')
const posColumns = posTable.columns()

export function posOfMerchant(database: Sql, merchantId: number): Promise<Pos[]> {
  return database.many(
    sql`select ${posColumns} from pos_credentials where merchant_id = ${merchantId} order by priority, id`,
  )
}

export function allPos(database: Sql): Promise<Pos[]> {
  return database.many(sql`select ${posColumns} from pos_credentials order by merchant_id, priority, id`)
}

/** A POS of any merchant. Merchants are few, and each is looked up by the primary key. */
export function posById(database: Sql, id: number): Promise<Pos | undefined> {
  return database.maybe(sql`select ${posColumns} from pos_credentials
    where merchant_id = any(array(select id from merchants)) and id = ${id}`)
}

/** POS locked against other changes until the end of the transaction; its rates are locked too. */
export async function posForUpdate(database: Sql, id: number): Promise<Pos | undefined> {
  const pos = await posById(database, id)
  // Locked by the whole key, because distributed databases keep rows together by merchant.
  return (
    pos &&
    database.maybe(sql`select ${posColumns} from pos_credentials
    where merchant_id = ${pos.merchantId} and id = ${id} for update`)
  )
}

/** Inserts a POS; returns false if the merchant already has one with that name. */
export async function insertPos(database: Sql, pos: Pos, secrets: SealedValue): Promise<boolean> {
  const row = { ...pos, secrets: secrets.bytes, secretsKeyId: secrets.keyId, version: 0 }
  const count = await database.run(sql`insert into pos_credentials (${posCredentials.names})
    values (${posCredentials.values(row)}) on conflict (merchant_id, name) do nothing`)
  if (count === 1) await noteChange(database)
  return count === 1
}

const changeable = posTable.omit('merchantId', 'id', 'bankCode', 'connector', 'createdAt')

/** Writes every field of a POS that can change, without its secrets. */
export async function updatePos(database: Sql, pos: Pos): Promise<void> {
  await database.run(sql`update pos_credentials set ${changeable.assignments(pos)}, version = version + 1
    where merchant_id = ${pos.merchantId} and id = ${pos.id}`)
  await noteChange(database)
}

/**
 * Increments the version in the transaction of the change, so an instance that sees the new version sees the
 * change too.
 */
async function noteChange(database: Sql): Promise<void> {
  await database.run(sql`update pos_changes set count = count + 1 where only_row`)
}

/** Version that differs after every change of a POS. */
export const posVersion = sql`select count from pos_changes where only_row`

/** True if another POS of the merchant has this name. */
export async function isNameTaken(database: Sql, { merchantId, id, name }: Pos): Promise<boolean> {
  const other = await database.maybe(sql`select id from pos_credentials
    where merchant_id = ${merchantId} and name = ${name} and id <> ${id}`)
  return other !== undefined
}

const sealedPosTable = posCredentials.pick(
  'merchantId',
  'id',
  'connector',
  'settings',
  'secrets',
  'secretsKeyId',
)

/** Data needed to open a POS, with sealed secrets. */
export type SealedPos = RowOf<typeof sealedPosTable>

/** Up to 100 secrets sealed by other keys, of POS with ids above `behind`. */
export function posSecretsOfOtherKeys(database: Sql, keyId: string, behind: number): Promise<SealedPos[]> {
  return database.many(sql`select ${sealedPosTable.columns()} from pos_credentials
    where secrets_key_id <> ${keyId} and id > ${behind} order by id limit 100`)
}

export function sealedSecretsOf(database: Sql, pos: Pos): Promise<SealedPos> {
  return database.one(sql`select ${sealedPosTable.columns()} from pos_credentials
    where merchant_id = ${pos.merchantId} and id = ${pos.id}`)
}

export function sealedPosById(
  database: Sql,
  merchantId: number,
  posId: number,
): Promise<SealedPos | undefined> {
  return database.maybe(sql`select ${sealedPosTable.columns()} from pos_credentials
    where merchant_id = ${merchantId} and id = ${posId}`)
}

/** Replaces secrets unless they changed meanwhile; returns true if it did. */
export async function replaceSecrets(
  database: Sql,
  old: Pick<SealedPos, 'merchantId' | 'id' | 'secrets'>,
  sealed: SealedValue,
): Promise<boolean> {
  const count = await database.run(sql`update pos_credentials set secrets = ${sealed.bytes},
      secrets_key_id = ${sealed.keyId}, version = version + 1
    where merchant_id = ${old.merchantId} and id = ${old.id} and secrets = ${old.secrets}`)
  return count === 1
}

/** Sealing key of the service at its last start; null if it never started. */
export async function serviceSealingKey(database: Sql): Promise<string | null> {
  const { keyId } = await database.one<{ keyId: string | null }>(
    sql`select key_id as "keyId" from sealing_key where only_row`,
  )
  return keyId
}

export async function updateServiceSealingKey(database: Sql, keyId: string): Promise<void> {
  await database.run(
    sql`update sealing_key set key_id = ${keyId} where only_row and key_id is distinct from ${keyId}`,
  )
}

/** Row of the rates: a rate, or its end. */
export type RateChange = Omit<Commission, 'rate'> & { rate: ScaledPercentage | null }

/** Inserts rates in the transaction that has locked their POS. */
export async function insertRates(
  database: Sql,
  { merchantId }: Pick<Pos, 'merchantId'>,
  changes: readonly RateChange[],
): Promise<void> {
  const rows = changes.map((change) => {
    const rate = change.rate === null ? null : percentageText(change.rate)
    const row = { ...change, merchantId, rate, commissionBy: bearers[change.commissionBy] }
    return sql`(${commissionRates.values(row)})`
  })
  await database.run(sql`insert into commission_rates (${commissionRates.names}) values ${join(rows)}`)
  const ids = [...new Set(changes.map(({ posId }) => posId))]
  await database.run(sql`update pos_credentials set version = version + 1
    where merchant_id = ${merchantId} and id = any(${ids}::bigint[])`)
}

/** Columns of a rate whose POS is known. */
const ratesOfPos = commissionRates.omit('merchantId', 'posId')

/**
 * Column: each POS of the merchant, with its sealed secrets and with its valid rate at a time of each
 * family, segment and number of installments. Ended rates are left out.
 */
function pricedSealedPosColumn(merchantId: SqlFragment, now: SqlFragment): SqlFragment {
  return sql`(select coalesce(json_agg(found.packed), '[]') from (
    with latest as (
      select distinct on (pos_id, family, segment, installment) * from commission_rates
      where merchant_id = ${merchantId} and valid_from <= ${now}::timestamptz
      order by pos_id, family, segment, installment, valid_from desc, revision desc)
    select json_build_array(${posCredentials.packed('c')}, coalesce(held.rates, '[]')) as packed
    from pos_credentials c left join
      (select r.pos_id, json_agg(${ratesOfPos.packed('r')}) as rates from latest r where r.rate is not null group by r.pos_id) held
      on held.pos_id = c.id
    where c.merchant_id = ${merchantId} order by c.priority, c.id) found) as poses`
}

/** Column: text that differs after every change of the merchant's POS, their secrets and their rates. */
export function posVersionColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select coalesce(string_agg(c.id || ' ' || c.version, ' ' order by c.id), '') from pos_credentials c
    where c.merchant_id = ${merchantId}) as "posVersion"`
}

/** Columns: all POS of the merchant with their current rates, their version, and the time of the next rate. */
export function pricedSealedPosColumns(merchantId: SqlFragment, now: SqlFragment): SqlFragment[] {
  const nextPriceAt = sql`(select min(valid_from) from commission_rates
    where merchant_id = ${merchantId} and valid_from > ${now}::timestamptz) as "nextPriceAt"`
  return [pricedSealedPosColumn(merchantId, now), posVersionColumn(merchantId), nextPriceAt]
}

/** A packed POS, and its packed rates. */
export type PackedPricedPos = [pos: unknown[], rates: unknown[][]]

/** POS with its prices and its sealed secrets. */
export interface PricedSealedPos extends PricedPos {
  sealed: SealedPos
}

export function pricedSealedPosIn({ poses }: { poses: PackedPricedPos[] }): PricedSealedPos[] {
  return poses.map(([packed, rates]) => {
    const sealed = posCredentials.unpack(packed)
    const { secrets: _secrets, secretsKeyId: _keyId, version: _version, ...pos } = sealed
    return { pos, commissions: rates.map((rate) => changeOf(pos.id, rate)).filter(isCommission), sealed }
  })
}

const selectPricedPos = reusableQuery<{ merchantId: number; at: Date }>`select ${pricedSealedPosColumn(
  parameter('merchantId'),
  parameter('at'),
)}`

/** All POS of a merchant with their rates at a time, in one round trip. */
export async function posWithCommissions(database: Sql, merchantId: number, at: Date): Promise<PricedPos[]> {
  const row = await database.one<{ poses: PackedPricedPos[] }>(selectPricedPos({ merchantId, at }))
  return pricedSealedPosIn(row).map(({ pos, commissions }) => ({ pos, commissions }))
}

/** Column of a query about a merchant's attempt `a`: the POS of the attempt. */
export function sealedPosColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select ${sealedPosTable.packed()} from pos_credentials
    where merchant_id = ${merchantId} and id = a.pos_id) as pos`
}

export function sealedPosIn({ pos }: { pos: unknown[] | null }): SealedPos | undefined {
  return pos ? sealedPosTable.unpack(pos) : undefined
}

/** All changes of a POS's rates, the oldest first. */
export async function rateChanges(database: Sql, pos: Pos): Promise<RateChange[]> {
  const rows = await database.many<{ packed: unknown[] }>(sql`select ${ratesOfPos.packed('r')} as packed
    from commission_rates r
    where r.merchant_id = ${pos.merchantId} and r.pos_id = ${pos.id} order by r.valid_from, r.revision, r.id`)
  return rows.map(({ packed }) => changeOf(pos.id, packed))
}

function changeOf(posId: number, packed: unknown[]): RateChange {
  const row = ratesOfPos.unpack(packed)
  const rate = row.rate === null ? null : exactly(row.rate)
  return { ...row, posId, rate, commissionBy: bearerOf(row.commissionBy) }
}

function isCommission(change: RateChange): change is Commission {
  return change.rate !== null
}

function exactly(rate: string): ScaledPercentage {
  const read = parsePercentageField(rate)
  if (!('value' in read)) throw new Error('a rate of the database is no percentage')
  return read.value
}

function bearerOf(number: number): Bearer {
  return number === bearers.customer ? 'customer' : 'merchant'
}
