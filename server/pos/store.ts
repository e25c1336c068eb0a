import type { ScaledPercentage } from '../../kit/money/percentage.ts'
import { parsePercentageField, percentageText } from '../../kit/money/percentage.ts'
import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, jsonRowColumn, reusableQuery, rowFromJson, sql } from '../../kit/runtime/sql.ts'
import type { SealedValue } from '../../kit/security/seal.ts'
import type { Bearer, Commission, PricedPos } from './commission.ts'
import { bearers } from './commission.ts'
import type { Pos } from './pos.ts'

const posColumns = sql`merchant_id as "merchantId", id, name, bank_code as "bankCode", connector, currencies, families,
  state, priority, settings, created_at as "createdAt", updated_at as "updatedAt"`

export function posOfMerchant(database: Sql, merchantId: number): Promise<Pos[]> {
  return database.many(
    sql`select ${posColumns} from pos_credentials where merchant_id = ${merchantId} order by priority, id`,
  )
}

export function allPos(database: Sql): Promise<Pos[]> {
  return database.many(sql`select ${posColumns} from pos_credentials order by merchant_id, priority, id`)
}

export function posById(database: Sql, id: number): Promise<Pos | undefined> {
  return database.maybe(sql`select ${posColumns} from pos_credentials where id = ${id}`)
}

/** The same, held against other changes until the transaction ends: of its rates too. */
export async function posForUpdate(database: Sql, id: number): Promise<Pos | undefined> {
  const pos = await posById(database, id)
  // By the whole key: databases that split tables hold rows of one merchant alone.
  return (
    pos &&
    database.maybe(sql`select ${posColumns} from pos_credentials
    where merchant_id = ${pos.merchantId} and id = ${id} for update`)
  )
}

/** Adds a POS, unless the merchant has one of that name; says whether it did. */
export async function insertPos(database: Sql, pos: Pos, secrets: SealedValue): Promise<boolean> {
  const p = pos
  const count =
    await database.run(sql`insert into pos_credentials (merchant_id, id, name, bank_code, connector,
      currencies, families, state, priority, settings, secrets, secrets_key, created_at, updated_at)
    values (${join([p.merchantId, p.id, p.name, p.bankCode, p.connector, p.currencies, p.families, p.state])},
      ${join([p.priority, JSON.stringify(p.settings), secrets.bytes, secrets.keyId, p.createdAt, p.updatedAt])})
    on conflict (merchant_id, name) do nothing`)
  if (count === 1) await noteChange(database)
  return count === 1
}

/** Writes everything about a POS that may change but its secrets. */
export async function updatePos(database: Sql, pos: Pos): Promise<void> {
  await database.run(sql`update pos_credentials set name = ${pos.name}, currencies = ${pos.currencies},
      families = ${pos.families}, state = ${pos.state}, priority = ${pos.priority},
      settings = ${JSON.stringify(pos.settings)}, updated_at = ${pos.updatedAt}
    where merchant_id = ${pos.merchantId} and id = ${pos.id}`)
  await noteChange(database)
}

/** In the transaction of the change: instances that see the new number see the change too. */
async function noteChange(database: Sql): Promise<void> {
  await database.run(sql`update pos_changes set count = count + 1 where only_row`)
}

/** A number that is another one after every change of a POS. */
export async function posVersion(database: Sql): Promise<number> {
  const { count } = await database.one<{ count: number }>(sql`select count from pos_changes where only_row`)
  return count
}

/** Whether another POS of the merchant has this name already. */
export async function isNameTaken(database: Sql, { merchantId, id, name }: Pos): Promise<boolean> {
  const other = await database.maybe(sql`select id from pos_credentials
    where merchant_id = ${merchantId} and name = ${name} and id <> ${id}`)
  return other !== undefined
}

/** Secrets as they lie there, with whose they are. */
export interface SealedPosSecrets extends SealedValue {
  merchantId: number
  posId: number
}

const secretColumns = sql`merchant_id as "merchantId", id as "posId", secrets as bytes, secrets_key as "keyId"`

/** Those that another key than this one sealed, behind this POS, some at a time. */
export function posSecretsOfOtherKeys(
  database: Sql,
  keyId: string,
  behind: number,
): Promise<SealedPosSecrets[]> {
  return database.many(sql`select ${secretColumns} from pos_credentials
    where secrets_key <> ${keyId} and id > ${behind} order by id limit 100`)
}

export function sealedSecretsOf(database: Sql, pos: Pos): Promise<SealedPosSecrets> {
  return database.one(
    sql`select ${secretColumns} from pos_credentials where merchant_id = ${pos.merchantId} and id = ${pos.id}`,
  )
}

/** What it takes to ask a POS, with its secrets as they lie there. */
export interface SealedPos extends Pick<Pos, 'connector' | 'settings'> {
  secrets: SealedPosSecrets
}

type SealedRow = SealedPosSecrets & Pick<Pos, 'connector' | 'settings'>

function sealedPosOf({ connector, settings, ...secrets }: SealedRow): SealedPos {
  return { connector, settings, secrets }
}

export async function sealedPosById(
  database: Sql,
  merchantId: number,
  posId: number,
): Promise<SealedPos | undefined> {
  const row = await database.maybe<SealedRow>(sql`select connector, settings, ${secretColumns}
    from pos_credentials where merchant_id = ${merchantId} and id = ${posId}`)
  return row && sealedPosOf(row)
}

/** Puts other secrets in the place of these, unless somebody was quicker; says whether it did. */
export async function replaceSecrets(
  database: Sql,
  old: SealedPosSecrets,
  sealed: SealedValue,
): Promise<boolean> {
  const count =
    await database.run(sql`update pos_credentials set secrets = ${sealed.bytes}, secrets_key = ${sealed.keyId}
    where merchant_id = ${old.merchantId} and id = ${old.posId} and secrets = ${old.bytes}`)
  return count === 1
}

/** The key that the service sealed with when it last started, if it ever did. */
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

/** A row of the rates: a rate, or that from then on there is none. */
export type RateChange = Omit<Commission, 'rate'> & { rate: ScaledPercentage | null }

export async function insertRates(
  database: Sql,
  { merchantId }: Pick<Pos, 'merchantId'>,
  changes: readonly RateChange[],
): Promise<void> {
  const rows = changes.map(
    (change) =>
      sql`(${join([
        merchantId,
        change.id,
        change.posId,
        change.family,
        change.segment,
        change.installment,
        change.rate === null ? null : percentageText(change.rate),
        bearers[change.by],
        change.validFrom,
        change.revision,
        change.createdAt,
      ])})`,
  )
  await database.run(sql`insert into commission_rates (merchant_id, id, pos_id, family, segment, installment, rate,
    commission_by, valid_from, revision, created_at) values ${join(rows)}`)
}

type PackedRate = [
  id: number,
  family: Commission['family'],
  segment: Commission['segment'],
  installment: number,
  rate: string | null,
  commissionBy: number,
  validFrom: string,
  revision: number,
  createdAt: string,
]

const packedRate = sql`json_build_array(r.id, r.family, r.segment, r.installment, r.rate::text, r.commission_by,
  r.valid_from, r.revision, r.created_at)`

/**
 * Of each POS, family, segment and number of installments the row that holds at this moment, the ended ones left out, as
 * a column of a query about a payment `p`, whose `moment` has the time.
 */
const pricedPos = (columns: SqlFragment) => sql`(select coalesce(json_agg(found), '[]') from (
  with latest as (
    select distinct on (pos_id, family, segment, installment) * from commission_rates
    where merchant_id = p.merchant_id and valid_from <= (select now from moment)
    order by pos_id, family, segment, installment, valid_from desc, revision desc)
  select ${columns}, coalesce(held.rates, '[]') as rates
  from pos_credentials c left join
    (select r.pos_id, json_agg(${packedRate}) as rates from latest r where r.rate is not null group by r.pos_id) held
    on held.pos_id = c.id
  where c.merchant_id = p.merchant_id order by c.priority, c.id) found) as poses`

/** Every POS of the payment's merchant with what it takes at this moment. */
export const pricedPosColumn = pricedPos(posColumns)

/** The same with what each signs in with, sealed. */
export const pricedSealedPosColumn = pricedPos(
  sql`${posColumns}, secrets as "secretBytes", secrets_key as "secretKey"`,
)

type PricedRow = Pos & { rates: PackedRate[] }

export function pricedPosIn({ poses }: { poses: object[] }): PricedPos[] {
  return poses.map((row) =>
    pricedPosOf(rowFromJson<PricedRow>(row, { createdAt: true, updatedAt: true }, {})),
  )
}

function pricedPosOf({ rates, ...pos }: PricedRow): PricedPos {
  return { pos, commissions: rates.map((rate) => changeOf(pos.id, rate)).filter(isCommission) }
}

/** A POS with its prices, ready to be opened. */
export interface PricedSealedPos extends PricedPos {
  sealed: SealedPos
}

export function pricedSealedPosIn({ poses }: { poses: object[] }): PricedSealedPos[] {
  return poses.map((row) => {
    const { secretBytes, secretKey, ...priced } = rowFromJson<
      PricedRow & { secretBytes: Buffer; secretKey: string }
    >(row, { createdAt: true, updatedAt: true }, { secretBytes: true })
    const { merchantId, id: posId, connector, settings } = priced
    const secrets = { merchantId, posId, bytes: secretBytes, keyId: secretKey }
    return { ...pricedPosOf(priced), sealed: { connector, settings, secrets } }
  })
}

const selectPricedPos = reusableQuery<{ merchantId: number; at: Date }>`with
  moment as (select ${'at'}::timestamptz as now)
  select ${pricedPosColumn} from (select ${'merchantId'}::bigint as merchant_id) p`

/** The same of any merchant, in one round trip. */
export async function posWithCommissions(database: Sql, merchantId: number, at: Date): Promise<PricedPos[]> {
  return pricedPosIn(await database.one<{ poses: object[] }>(selectPricedPos({ merchantId, at })))
}

/** Column of a query about a payment `p` and its last attempt `a`: the POS of that. */
export const sealedPosColumn = jsonRowColumn(
  'pos',
  sql`select connector, settings, ${secretColumns} from pos_credentials
    where merchant_id = p.merchant_id and id = a.pos_id`,
)

export function sealedPosIn({ pos }: { pos: object | null }): SealedPos | undefined {
  return pos ? sealedPosOf(rowFromJson<SealedRow>(pos, {}, { bytes: true })) : undefined
}

/** All that was ever written about the rates of a POS, the oldest first. */
export async function rateChanges(database: Sql, pos: Pos): Promise<RateChange[]> {
  const rows = await database.many<{
    packed: PackedRate
  }>(sql`select ${packedRate} as packed from commission_rates r
    where r.merchant_id = ${pos.merchantId} and r.pos_id = ${pos.id} order by r.valid_from, r.revision, r.id`)
  return rows.map(({ packed }) => changeOf(pos.id, packed))
}

function changeOf(posId: number, packed: PackedRate): RateChange {
  const [id, family, segment, installment, rate, by, validFrom, revision, createdAt] = packed
  return {
    id,
    posId,
    family,
    segment,
    installment,
    rate: rate === null ? null : exactly(rate),
    by: bearerOf(by),
    validFrom: new Date(validFrom),
    revision,
    createdAt: new Date(createdAt),
  }
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
