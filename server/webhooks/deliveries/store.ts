import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { join, sql, unprepared } from '../../../kit/runtime/sql.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { ListCursor, SearchResult } from '../../database/search.ts'
import { maxExactCount } from '../../database/search.ts'
import type { Delivery, DeliveryAttempt, DeliveryWithAttempts, WebhookHealth } from '../records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../records/delivery.ts'

const columns = webhookDeliveries.columns('d')

/** Health of a webhook; undefined if the webhook does not exist. */
export function webhookHealthOf(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<WebhookHealth | undefined> {
  return database.maybe(sql`select w.status, h.paused_until as "pausedUntil" from webhooks w
    left join webhook_health h on h.merchant_id = w.merchant_id and h.webhook_id = w.id
    where w.merchant_id = ${merchantId} and w.id = ${id} and w.deleted_at is null`)
}

/** Part of a response that is shown: all that is stored, or its beginning. */
type Extent = 'whole' | 'beginning'

const beginningLength = 1000

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
  search: DeliverySearch,
): Promise<SearchResult<DeliveryWithAttempts>> {
  const { after, limit, ownedId } = search
  const ofWebhook = sql`d.webhook_id = ${ownedId.id}`
  const behind = after
    ? sql`(d.created_at, d.id) < (${after.createdAt}::timestamptz, ${after.id}::bigint)`
    : sql`true`
  const rows = await database.many<Delivery>(
    unprepared(sql`select ${columns} from webhook_deliveries d
      where d.merchant_id = ${ownedId.merchantId} and ${ofWebhook} and ${fits(search)} and ${behind}
      order by d.created_at desc, d.id desc limit ${limit + 1}`),
  )
  const { count } = await database.one<{ count: number }>(
    unprepared(sql`select count(*)::integer as count from (
      select from webhook_deliveries d
      where d.merchant_id = ${ownedId.merchantId} and ${ofWebhook} and ${fits(search)} limit ${maxExactCount + 1}) as fitting`),
  )
  const items = await withAttempts(database, rows.slice(0, limit), 'beginning')
  return { items, count, hasMore: rows.length > limit }
}

/** Missing filters are left out of the query, so that the planner finds the index for the given ones. */
function fits({ state, eventId }: DeliverySearch): SqlFragment {
  const conditions = [
    sql`true`,
    ...(state === undefined ? [] : [ofState[state]]),
    ...(eventId === undefined ? [] : [sql`d.event_id = ${eventId}`]),
  ]
  return join(conditions, ' and ')
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
  const rows = await database.many<Delivery>(sql`select ${columns} from webhook_deliveries d
    where d.merchant_id = ${merchantId} and d.id = ${id} and d.webhook_id = ${webhookId}`)
  const [delivery] = await withAttempts(database, rows, 'whole')
  return delivery
}

/** Delivery of any merchant and webhook, unless the webhook is deleted. */
export function deliveryOfAnyMerchant(database: Sql, id: number): Promise<Delivery | undefined> {
  return database.maybe(sql`select ${columns} from merchants m
    join webhook_deliveries d on d.merchant_id = m.id and d.id = ${id}
    join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id and w.deleted_at is null`)
}

/** Deliveries of a merchant by id, with the health of their webhooks; those to the newest webhook first. */
export async function deliveriesWithIds(
  database: Sql,
  merchantId: number,
  ids: readonly number[],
): Promise<(DeliveryWithAttempts & WebhookHealth)[]> {
  const rows = await database.many<
    Delivery & WebhookHealth
  >(sql`select ${columns}, w.status, h.paused_until as "pausedUntil"
    from webhook_deliveries d join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
    left join webhook_health h on h.merchant_id = w.merchant_id and h.webhook_id = w.id
    where d.merchant_id = ${merchantId} and d.id = any(${ids}::bigint[]) order by d.webhook_id desc`)
  return withAttempts(database, rows, 'beginning')
}

const attemptWithoutAnswer = webhookAttempts.omit('merchantId', 'answer')

async function withAttempts<Row extends Delivery>(
  database: Sql,
  deliveries: readonly Row[],
  extent: Extent,
): Promise<(Row & DeliveryWithAttempts)[]> {
  const tried = deliveries.filter(({ attemptCount }) => attemptCount > 0)
  const answer = extent === 'whole' ? sql`answer` : sql`left(answer, ${beginningLength})`
  const attempts =
    tried.length === 0
      ? []
      : await database.many<
          DeliveryAttempt & { deliveryId: number }
        >(sql`select ${attemptWithoutAnswer.columns()}, ${answer} as answer
        from webhook_attempts where merchant_id = ${tried[0]?.merchantId}
          and delivery_id = any(${tried.map(({ id }) => id)}::bigint[]) order by delivery_id, number`)
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery.id) ?? [] }))
}

/** Inserts a test delivery that is due now; it is its own event. */
export async function insertTestDelivery(database: Sql, test: Delivery): Promise<void> {
  await database.run(
    sql`insert into webhook_deliveries (${webhookDeliveries.names}) values (${webhookDeliveries.values(test)})`,
  )
}

const eventToResend = webhookDeliveries.pick('id', 'webhookId', 'eventId', 'kind')

/** Event to resend to a webhook; `id` is for the new delivery if one is needed. */
export type EventToResend = RowOf<typeof eventToResend>

/**
 * Resends events to locked webhooks. A pending delivery becomes due now, unless it is due before `soon`,
 * which includes an attempt under way. Any other event gets a new delivery. Returns the ids of all
 * deliveries.
 */
export async function writeResends(
  database: Sql,
  merchantId: number,
  resends: readonly EventToResend[],
  { now, soon }: { now: Date; soon: Date },
): Promise<number[]> {
  const rows = await database.many<{ id: number }>(sql`with given as materialized (
      select * from json_to_recordset(${JSON.stringify(resends)}::json)
        as ${eventToResend.recordset('given')}),
    pending_deliveries as materialized (
      select d.id, d.event_id, d.webhook_id from given join webhook_deliveries d
        on d.merchant_id = ${merchantId} and d.event_id = given."eventId" and d.webhook_id = given."webhookId"
      where d.state = 'pending' for update of d),
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

/** Failed delivery of an event to a webhook. */
export interface FailedDelivery extends RowOf<typeof failedDelivery> {
  endedAt: Date
  /** True if the event has no later failed, delivered or pending delivery to this webhook. */
  isLast: boolean
}

export interface FailedDeliverySearch {
  since: Date
  until: Date
  behind: { endedAt: Date; id: number } | undefined
  limit: number
}

/**
 * Failed deliveries to a webhook in a period, oldest first, without tests. Later deliveries are looked up for
 * these rows only: with one joined query PostgreSQL would read every delivery, or compare all with all.
 */
export function failedDeliveriesOf(
  database: Sql,
  { merchantId, id: webhookId }: OwnedId,
  { since, until, behind, limit }: FailedDeliverySearch,
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
          where other.merchant_id = d.merchant_id and other.event_id = d.event_id and other.webhook_id = d.webhook_id
            and ((other.state = 'failed' and (other.ended_at, other.id) > (d.ended_at, d.id))
              or (other.state = 'delivered' and other.ended_at >= d.ended_at)
              or other.state = 'pending')) as "isLast"
      from failed_deliveries d order by d.ended_at, d.id`),
  )
}
