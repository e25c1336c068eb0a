import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { raw, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { RecordedCharge, RecordedModification } from './recorded-charge.ts'
import { recordedAttempts, recordedModifications } from './recorded-charge.ts'

export interface CoveredPos {
  id: number
  merchantId: number
  name: string
}

export function posByIds(database: Sql, ids: readonly number[]): Promise<CoveredPos[]> {
  return database.many(sql`select id, merchant_id as "merchantId", name from pos_credentials
    where merchant_id = any(array(select id from merchants)) and id = any(${ids}::bigint[]) order by id`)
}

/**
 * Charges with these ids of any of these merchants. Each is looked up by the primary key, so the time grows
 * with merchants and ids.
 */
export async function chargesByIds(
  database: Sql,
  merchants: readonly number[],
  attemptIds: readonly number[],
): Promise<RecordedCharge[]> {
  const rows = await database.many<Omit<RecordedCharge, 'modifications'>>(
    unprepared(sql`select ${recordedAttempts.columns('a')}, a.id as "attemptId",
        (select v.bank_amount from verifications v
          where v.merchant_id = a.merchant_id and v.id = a.id and v.kind = 'hold') as "bankHeldMinor",
        (select coalesce(json_agg(v.id), '[]') from verifications v
          where v.merchant_id = a.merchant_id and v.payment_id = a.payment_id and v.attempt_id = a.id
            and v.state = 'unverified') as unverified,
        coalesce(a.asked_at, a.began_at) as "askedAt"
      from payment_attempts a where a.merchant_id = any(${merchants}::bigint[]) and a.id = any(${attemptIds}::bigint[])`),
  )
  const modifications = await modificationsOf(
    database,
    rows.filter(({ state }) => state === 'approved'),
  )
  return rows.map((row) => ({ ...row, modifications: modifications.get(row.attemptId) ?? [] }))
}

/** Modifications by attempt: attempt ids are unique over all merchants. */
async function modificationsOf(
  database: Sql,
  charges: readonly Pick<RecordedCharge, 'merchantId' | 'paymentId'>[],
): Promise<Map<number, RecordedModification[]>> {
  if (charges.length === 0) return new Map()
  const merchants = new Set(charges.map(({ merchantId }) => merchantId))
  const rows = await database.many<RecordedModification & { attemptId: number }>(
    unprepared(sql`select ${recordedModifications.columns('d')}, d.attempt_id as "attemptId",
        (select v.bank_amount from verifications v where v.merchant_id = d.merchant_id and v.id = d.id)
          as "bankAmountMinor"
      from modifications d where d.merchant_id = any(${[...merchants]}::bigint[])
        and d.payment_id = any(${charges.map(({ paymentId }) => paymentId)}::bigint[]) order by d.id`),
  )
  return Map.groupBy(rows, ({ attemptId }) => attemptId)
}

/** POS whose charges are searched, and the time range of the bank action. */
export interface ChargeSearch {
  merchantId: number
  posIds: readonly number[]
  since: Date
  until: Date
}

/** Charges found in one part of a table, and the id at which that part ends; null if it is the last part. */
export interface ChargeSlice {
  references: { attemptId: number; reference: string }[]
  end: number | null
}

/** A table that is searched for charges, and the query of a slice of its rows. */
interface ChargeSource {
  table: 'payment_attempts' | 'modifications'
  query(search: ChargeSearch, slice: SqlFragment): SqlFragment
}

/** Charges that a bank may have approved in this time. */
const approvedCharges: ChargeSource = {
  table: 'payment_attempts',
  query: (
    { merchantId, posIds, since, until },
    slice,
  ) => sql`select id as "attemptId", reference from payment_attempts
    where merchant_id = ${merchantId} and ${slice} and state = 'approved'
      and pos_id = any(${posIds}::bigint[]) and ended_at >= ${since} and coalesce(asked_at, began_at) < ${until}
    order by id`,
}

/** Charges approved at another time that a bank may have modified in this time, each once. */
const modifiedCharges: ChargeSource = {
  table: 'modifications',
  query: ({ merchantId, posIds, since, until }, slice) => sql`select a.id as "attemptId", a.reference
    from (select id, payment_id, attempt_id from modifications
        where merchant_id = ${merchantId} and ${slice} and state = 'done'
          and pos_id = any(${posIds}::bigint[]) and ended_at >= ${since} and began_at < ${until}) as d
      cross join lateral (select id, reference, ended_at, coalesce(asked_at, began_at) as asked_at
        from payment_attempts where merchant_id = ${merchantId} and id = d.attempt_id limit 1) as a
    where not (a.ended_at >= ${since} and a.asked_at < ${until})
      and not exists (select from modifications e where e.merchant_id = ${merchantId} and e.payment_id = d.payment_id
        and e.attempt_id = d.attempt_id and e.id < d.id and e.state = 'done' and e.ended_at >= ${since}
        and e.began_at < ${until})
    order by d.id`,
}

export const chargeSources = [approvedCharges, modifiedCharges]

/**
 * Charges among the next `size` rows of a merchant. The queries use only the primary key: another index would
 * slow down every payment.
 */
export async function chargesWithin(
  database: Sql,
  { table, query }: ChargeSource,
  search: ChargeSearch,
  behind: number,
  size: number,
): Promise<ChargeSlice> {
  const { end } = await database.one<Pick<ChargeSlice, 'end'>>(sql`select (select id from ${raw(table)}
    where merchant_id = ${search.merchantId} and id > ${behind}::bigint order by id offset ${size - 1} limit 1) as end`)
  const slice = sql`id > ${behind}::bigint and id <= ${end ?? Number.MAX_SAFE_INTEGER}::bigint`
  return { references: await database.many(unprepared(query(search, slice))), end }
}
