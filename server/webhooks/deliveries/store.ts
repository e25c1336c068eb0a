import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { join, sql, unprepared } from '../../../kit/runtime/sql.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { ListCursor, SearchResult } from '../../database/search.ts'
import { maxExactCount } from '../../database/search.ts'
import type { Delivery, DeliveryAttempt, DeliveryWithAttempts } from '../records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../records/delivery.ts'

const columns = webhookDeliveries.columns('d')

const attemptWithoutAnswer = webhookAttempts.omit('merchantId', 'answer')

const wholeAnswer = sql`answer`
const beginningOfAnswer = sql`left(answer, 1000)`

/**
 * Deliveries of a merchant with their attempts, without those to deleted webhooks. The query is planned for
 * each condition, because the conditions need different indexes.
 */
async function readDeliveries(
  database: Sql,
  merchantId: number,
  which: SqlFragment,
  answer: SqlFragment,
): Promise<DeliveryWithAttempts[]> {
  const deliveries = await database.many<Omit<DeliveryWithAttempts, 'attempts'>>(
    unprepared(sql`select ${columns}, w.status as "webhookStatus", h.paused_until as "pausedUntil"
      from webhook_deliveries d
      join webhooks w on w.merchant_id = ${merchantId} and w.id = d.webhook_id and w.deleted_at is null
      left join webhook_health h on h.merchant_id = ${merchantId} and h.webhook_id = d.webhook_id
      where d.merchant_id = ${merchantId} and ${which}`),
  )
  const ids = deliveries.map(({ id }) => id)
  const attempts = await database.many<
    DeliveryAttempt & { deliveryId: number }
  >(sql`select ${attemptWithoutAnswer.columns()}, ${answer} as answer
    from webhook_attempts where merchant_id = ${merchantId} and delivery_id = any(${ids}::bigint[])
    order by delivery_id, number`)
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery.id) ?? [] }))
}

export interface DeliverySearch {
  ownedId: OwnedId
  state: Delivery['state'] | undefined
  eventId: number | undefined
  after: ListCursor | undefined
  limit: number
}

/** Deliveries to a webhook, the newest first, with the beginning of each response. */
export async function searchDeliveries(
  database: Sql,
  { ownedId: { merchantId, id }, state, eventId, after, limit }: DeliverySearch,
): Promise<SearchResult<DeliveryWithAttempts>> {
  // Missing filters are left out of the query, so that the planner finds the index for the given ones.
  const conditions = [
    sql`d.webhook_id = ${id}`,
    ...(state === undefined ? [] : [ofState[state]]),
    ...(eventId === undefined ? [] : [sql`d.event_id = ${eventId}`]),
  ]
  const fits = join(conditions, ' and ')
  const behind = after
    ? sql`(d.created_at, d.id) < (${after.createdAt}::timestamptz, ${after.id}::bigint)`
    : sql`true`
  const page = sql`${fits} and ${behind} order by d.created_at desc, d.id desc limit ${limit + 1}`
  const items = await readDeliveries(database, merchantId, page, beginningOfAnswer)
  const { count } = await database.one<{ count: number }>(
    unprepared(sql`select count(*)::integer as count from (
      select from webhook_deliveries d
      where d.merchant_id = ${merchantId} and ${fits} limit ${maxExactCount + 1}) as fitting`),
  )
  return { items: items.slice(0, limit), count, hasMore: items.length > limit }
}

/** Conditions with literal states, because some indexes are partial. */
const ofState: Readonly<Record<Delivery['state'], SqlFragment>> = {
  pending: sql`d.state = 'pending' and d.due_at is not null`,
  delivered: sql`d.state = 'delivered'`,
  failed: sql`d.state = 'failed'`,
}

/** A delivery to a webhook, with its whole stored responses. */
export async function deliveryById(
  database: Sql,
  { merchantId, id: webhookId }: OwnedId,
  id: number,
): Promise<DeliveryWithAttempts | undefined> {
  const which = sql`d.id = ${id} and d.webhook_id = ${webhookId}`
  const [delivery] = await readDeliveries(database, merchantId, which, wholeAnswer)
  return delivery
}

/** Delivery of any merchant and webhook, unless the webhook is deleted. */
export function deliveryOfAnyMerchant(database: Sql, id: number): Promise<Delivery | undefined> {
  return database.maybe(sql`select ${columns} from merchants m
    join webhook_deliveries d on d.merchant_id = m.id and d.id = ${id}
    join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id and w.deleted_at is null`)
}

/** Deliveries of a merchant by id; those to the newest webhook first. */
export function deliveriesWithIds(
  database: Sql,
  merchantId: number,
  ids: readonly number[],
): Promise<DeliveryWithAttempts[]> {
  const which = sql`d.id = any(${ids}::bigint[]) order by d.webhook_id desc`
  return readDeliveries(database, merchantId, which, beginningOfAnswer)
}

const eventToResend = webhookDeliveries.pick('id', 'webhookId', 'eventId', 'kind')

/** Event to resend to a webhook; `id` is for the new delivery if one is needed. */
export type EventToResend = RowOf<typeof eventToResend>

/** A pending delivery becomes due now, unless it is due before `soon`, which includes an attempt under way. */
export async function writeResends(
  database: Sql,
  merchantId: number,
  resends: readonly EventToResend[],
  { now, soon }: { now: Date; soon: Date },
): Promise<number[]> {
  // Events are looked up in `given` without a join: Citus fails on `for update` in a CTE that joins another one.
  const rows = await database.many<{ id: number }>(sql`with given as materialized (
      select * from json_to_recordset(${JSON.stringify(resends)}::json)
        as ${eventToResend.recordset('given')}),
    pending_deliveries as materialized (
      select d.id, d.event_id, d.webhook_id from webhook_deliveries d
      where d.merchant_id = ${merchantId} and d.event_id = any(array(select "eventId" from given))
        and d.webhook_id = any(array(select "webhookId" from given)) and d.state = 'pending'
        and (select true from given where "eventId" = d.event_id and "webhookId" = d.webhook_id limit 1) for update),
    rescheduled_deliveries as (
      update webhook_deliveries d set due_at = ${now}::timestamptz from pending_deliveries
      where d.merchant_id = ${merchantId} and d.id = pending_deliveries.id and d.due_at > ${soon}::timestamptz),
    inserted_deliveries as (
      insert into webhook_deliveries
        (merchant_id, ${eventToResend.names}, reason, state, attempt_count, due_at, created_at)
      select ${merchantId}::bigint, ${eventToResend.recordsetNames()}, 'resend', 'pending', 0, ${now}::timestamptz,
        ${now}::timestamptz
      from given where not exists (
        select from pending_deliveries where event_id = given."eventId" and webhook_id = given."webhookId")
      returning id)
    select id from pending_deliveries union all select id from inserted_deliveries`)
  return rows.map(({ id }) => id)
}

const failedDelivery = webhookDeliveries.pick('id', 'eventId', 'kind', 'endedAt')

export interface FailedDelivery extends RowOf<typeof failedDelivery> {
  endedAt: Date
  /** True if the event has no later failed, delivered or pending delivery to this webhook. */
  isLast: boolean
}

/**
 * Failed deliveries to a webhook in a period, oldest first, without tests. Later deliveries are looked up for
 * these rows only: with one joined query PostgreSQL would read every delivery, or compare all with all.
 */
export function failedDeliveriesOf(
  database: Sql,
  { merchantId, id: webhookId }: OwnedId,
  { since, until, behind }: { since: Date; until: Date; behind: FailedDelivery | undefined },
  limit: number,
): Promise<FailedDelivery[]> {
  const after = behind
    ? sql`(d.ended_at, d.id) > (${behind.endedAt}::timestamptz, ${behind.id}::bigint)`
    : sql`d.ended_at >= ${since}`
  return database.many(
    unprepared(sql`with failed_deliveries as materialized (
        select d.* from webhook_deliveries d
        where d.merchant_id = ${merchantId} and d.webhook_id = ${webhookId} and d.state = 'failed' and d.reason <> 'test'
          and ${after} and d.ended_at <= ${until}
        order by d.ended_at, d.id limit ${limit})
      select ${failedDelivery.columns('d')}, 0 = (
          select count(*) from webhook_deliveries other
          where other.merchant_id = ${merchantId} and other.event_id = d.event_id and other.webhook_id = d.webhook_id
            and ((other.state = 'failed' and (other.ended_at, other.id) > (d.ended_at, d.id))
              or (other.state = 'delivered' and other.ended_at >= d.ended_at)
              or other.state = 'pending')) as "isLast"
      from failed_deliveries d order by d.ended_at, d.id`),
  )
}
