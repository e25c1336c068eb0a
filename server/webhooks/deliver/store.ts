import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { empty, parameter, reusableQuery, sql } from '../../../kit/runtime/sql.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import { boolean, defineTable, timestamptz } from '../../../kit/runtime/table.ts'
import type { BatchingSql, BatchQueryParameters } from '../../database/batching-sql.ts'
import { batchQuery } from '../../database/batching-sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { unpositionedTimes } from '../../events/index.ts'
import type { Delivery } from '../records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../records/delivery.ts'
import type { SealedWebhookSecret } from '../records/secrets.ts'
import { sealedWebhookSecrets } from '../records/secrets.ts'
import type { DisabledReason, Webhook } from '../records/webhook.ts'
import { webhookHealth } from '../records/webhook.ts'

/** Enabled webhooks of a merchant, locked against deletion until the end of the transaction. */
export function enabledWebhooksForKeyShare(
  database: Sql,
  merchantId: number,
): Promise<Pick<Webhook, 'id' | 'events'>[]> {
  return database.many(sql`select id, events from webhooks
    where merchant_id = ${merchantId} and status = 'enabled' and deleted_at is null for key share`)
}

const newDelivery = webhookDeliveries.pick('id', 'webhookId', 'eventId', 'kind')

/** Inserts deliveries that are due now. An event that was already dispatched to a webhook gets no second one. */
export async function insertDeliveries(
  database: Sql,
  merchantId: number,
  reason: Delivery['reason'],
  deliveries: readonly RowOf<typeof newDelivery>[],
  now: Date,
): Promise<void> {
  await database.run(sql`insert into webhook_deliveries
      (merchant_id, ${newDelivery.names}, reason, state, attempt_count, due_at, created_at)
    select w.merchant_id, ${newDelivery.recordsetNames('given')}, ${reason}, 'pending', 0, ${now}::timestamptz,
      ${now}::timestamptz
    from webhooks w
    join json_to_recordset(${JSON.stringify(deliveries)}::json) as ${newDelivery.recordset('given')} on given."webhookId" = w.id
    where w.merchant_id = ${merchantId}
    on conflict do nothing`)
}

/** Due times until a time: of new events, of each webhook's first delivery, and of tests. */
export function dueDeliveries(until: Date): SqlFragment {
  return sql`${unpositionedTimes}
    union all
    select w.merchant_id, greatest(due.due_at, h.paused_until) as due_at from webhooks w
      left join webhook_health h on h.merchant_id = w.merchant_id and h.webhook_id = w.id
      cross join lateral (select d.due_at from webhook_deliveries d
        where d.merchant_id = w.merchant_id and d.webhook_id = w.id and d.due_at <= ${until}
        order by d.due_at limit 1) as due
      where w.deleted_at is null and w.status = 'enabled' and (h.paused_until is null or h.paused_until <= ${until})
    union all
    select d.merchant_id, d.due_at from webhook_deliveries d
      join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id and w.deleted_at is null
      where d.due_at <= ${until} and d.reason = 'test'`
}

/**
 * Webhooks with due deliveries. The query looks up one due delivery for each webhook, so delivered rows and long
 * queues do not slow it down. A disabled or paused webhook counts only if a test is due.
 */
export function webhookIdsWithDueDeliveries(database: Sql, now: Date): Promise<OwnedId[]> {
  // The order makes PostgreSQL use the index of due deliveries, whatever its statistics say.
  return database.many(sql`select w.merchant_id as "merchantId", w.id from webhooks w
      left join webhook_health h on h.merchant_id = w.merchant_id and h.webhook_id = w.id
      cross join lateral (select from webhook_deliveries d
        where d.merchant_id = w.merchant_id and d.webhook_id = w.id and d.due_at <= ${now}::timestamptz
        order by d.due_at limit 1) as due
      where w.deleted_at is null and w.status = 'enabled' and coalesce(h.paused_until, '-infinity') <= ${now}::timestamptz
    union
    select w.merchant_id, w.id from webhook_deliveries d
      join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id and w.deleted_at is null
      where d.due_at <= ${now}::timestamptz and d.reason = 'test'`)
}

export interface DeliveryTarget extends Pick<Webhook, 'merchantId' | 'id' | 'url'> {
  /** True if only tests are sent: the webhook is disabled or paused. */
  isClosed: boolean
  secrets: SealedWebhookSecret[]
}

/** Returns undefined for a deleted webhook. */
export async function deliveryTargetOfWebhook(
  database: Sql,
  { merchantId, id }: OwnedId,
  now: Date,
): Promise<DeliveryTarget | undefined> {
  const row = await database.maybe<
    Omit<DeliveryTarget, 'secrets'> & { secrets: unknown[][] }
  >(sql`select w.merchant_id as "merchantId", w.id, w.url,
      (w.status <> 'enabled' or coalesce(h.paused_until > ${now}::timestamptz, false)) as "isClosed",
      (select coalesce(json_agg(${sealedWebhookSecrets.packed('s')} order by s.signs_until desc nulls first), '[]')
        from webhook_secrets s where s.merchant_id = ${merchantId} and s.webhook_id = w.id
          and (s.signs_until is null or s.signs_until > ${now}::timestamptz)) as secrets
    from webhooks w left join webhook_health h on h.merchant_id = ${merchantId} and h.webhook_id = w.id
    where w.merchant_id = ${merchantId} and w.id = ${id} and w.deleted_at is null`)
  return row && { ...row, secrets: row.secrets.map(sealedWebhookSecrets.unpack) }
}

const claimedDelivery = webhookDeliveries.omit('state', 'dueAt', 'endedAt')

/** A delivery that only this instance attempts until its claim ends, with its event; a test has no event. */
export interface ClaimedDelivery extends RowOf<typeof claimedDelivery> {
  data: object | null
  happenedAt: Date | null
}

/**
 * Claims due deliveries, the longest due first; no other instance takes them until `until`. A delivery
 * without a saved attempt is then due again.
 */
export function claimDueDeliveries(
  database: Sql,
  { merchantId, id, isClosed }: DeliveryTarget,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const which = isClosed ? sql`and reason = 'test'` : empty
  return database.many(sql`with locked_deliveries as (
      select id from webhook_deliveries where merchant_id = ${merchantId} and webhook_id = ${id}
        and due_at <= ${now}::timestamptz ${which}
      order by due_at, id limit ${limit} for update skip locked),
    claimed_deliveries as (
      update webhook_deliveries d set due_at = ${until}::timestamptz from locked_deliveries
      where d.merchant_id = ${merchantId} and d.id = locked_deliveries.id
      returning d.*)
    select ${claimedDelivery.columns('c')}, e.data, e.created_at as "happenedAt"
    from claimed_deliveries c
    left join events e on e.merchant_id = ${merchantId} and e.id = c.event_id and c.reason <> 'test'
    order by c.created_at, c.id`)
}

/** Makes deliveries of a merchant that were not attempted due again immediately. */
export async function releaseClaims(
  database: Sql,
  merchantId: number,
  claimed: readonly ClaimedDelivery[],
  until: Date,
  now: Date,
): Promise<void> {
  await database.run(sql`update webhook_deliveries set due_at = ${now}
    where merchant_id = ${merchantId} and id = any(${claimed.map(({ id }) => id)}::bigint[]) and due_at = ${until}`)
}

const attemptResult = webhookAttempts.omit('merchantId', 'deliveryId', 'number')

/** JSON rows of `insertAttempts`: the delivery with its new state, and the result. */
const givenAttempts = defineTable('given', {
  ...webhookDeliveries.pick('id', 'webhookId', 'state').map,
  isTest: boolean(),
  at: timestamptz(),
  ...attemptResult.map,
})

export interface DeliveryAttemptToSave extends OwnedId, RowOf<typeof givenAttempts> {}

/**
 * Writes the state of each delivery and the health of its webhook. If two instances attempted a delivery
 * because one of them was suspended, both attempts are saved, and one success makes it delivered. A success
 * ends the webhook's failure period. A pause stays until its end, because a delivery accepted before that was
 * already under way.
 */
const updatesByAttempts = (merchantId: SqlFragment, rows: SqlFragment) => sql`with given as materialized (
    select * from json_to_recordset(${rows}::json) as ${givenAttempts.recordset('given')}),
  updated_deliveries as (
    update webhook_deliveries d set attempt_count = d.attempt_count + 1,
      state = case when d.state = 'delivered' then d.state else given.state end,
      due_at = case when d.state = 'delivered' then null else given."nextAttemptAt" end,
      ended_at = case when d.state = 'delivered' then d.ended_at when given.state = 'pending' then null else given.at end
    from given where d.merchant_id = ${merchantId}::bigint and d.id = given.id
      and d.id = any(array(select id from given))
    returning d.merchant_id, d.id, d.attempt_count),
  reset_health as (
    update webhook_health h set failing_since = null, last_failed_at = null,
      paused_until = case when h.paused_until > given.at then h.paused_until end from given
    where h.merchant_id = ${merchantId}::bigint and h.webhook_id = given."webhookId" and given.state = 'delivered'
      and not given."isTest" and h.failing_since is not null)`

/** The attempts of the deliveries that were updated. */
const insertedAttempts = (updated: SqlFragment) => sql`insert into webhook_attempts
    (merchant_id, delivery_id, number, ${attemptResult.names})
  select u.merchant_id, u.id, u.attempt_count, ${attemptResult.recordsetNames('given')}
  from ${updated} u join given on given.id = u.id`

const insertAttempts = batchQuery<DeliveryAttemptToSave>(
  reusableQuery<BatchQueryParameters>`${updatesByAttempts(parameter('merchantId'), parameter('rows'))},
    inserted_attempts as (${insertedAttempts(sql`updated_deliveries`)}) select id from updated_deliveries`,
  (database, attempts) =>
    database.transaction(async (transaction) => {
      const [first] = attempts
      const [merchantId, rows] = [sql`${first?.merchantId}`, sql`${JSON.stringify(attempts)}`]
      const updated = await transaction.many<OwnedId>(
        sql`${updatesByAttempts(merchantId, rows)} select id from updated_deliveries`,
      )
      const deliveries = sql`(select merchant_id, id, attempt_count from webhook_deliveries
        where merchant_id = ${merchantId}::bigint and id = any(${updated.map(({ id }) => id)}::bigint[]))`
      await transaction.run(sql`with given as (
          select * from json_to_recordset(${rows}::json) as ${givenAttempts.recordset('given')})
        ${insertedAttempts(deliveries)}`)
      return updated
    }),
)

export async function saveDeliveryAttempt(
  database: BatchingSql,
  attempt: DeliveryAttemptToSave,
): Promise<void> {
  const saved = await database.batch(insertAttempts, attempt)
  if (!saved) throw new Error(`the attempt of delivery ${attempt.id} was not saved`)
}

const failureHealth = webhookHealth.omit('merchantId', 'webhookId')

/**
 * Records a failure of a webhook. Returns the start of its failure period. Returns undefined and writes
 * nothing if the webhook was deleted or has a new address, because the new address has neither failed nor
 * asked for a pause.
 */
export async function recordFailureInWebhookHealth(
  database: Sql,
  { merchantId, id, url }: Pick<DeliveryTarget, 'merchantId' | 'id' | 'url'>,
  { at, pausedUntil, forgottenBefore }: { at: Date; pausedUntil: Date | null; forgottenBefore: Date },
): Promise<Date | undefined> {
  const failure = { pausedUntil, failingSince: at, lastFailedAt: at }
  // The lock makes a concurrent change of the address commit first, which resets the old address's health.
  const noted = await database.maybe<{ since: Date }>(sql`insert into webhook_health as known
      (merchant_id, webhook_id, ${failureHealth.names})
    select merchant_id, id, ${failureHealth.values(failure)} from webhooks
    where merchant_id = ${merchantId} and id = ${id} and url = ${url} and deleted_at is null for share
    on conflict (merchant_id, webhook_id) do update set
      paused_until = greatest(known.paused_until, excluded.paused_until),
      failing_since = case when known.last_failed_at >= ${forgottenBefore}::timestamptz
        then known.failing_since else excluded.failing_since end,
      last_failed_at = excluded.last_failed_at
    returning failing_since as since`)
  return noted?.since
}

/** Disables a webhook that still has this address; returns true if it was enabled. */
export async function disableWebhookIfUrlUnchanged(
  database: Sql,
  { merchantId, id, url }: Pick<DeliveryTarget, 'merchantId' | 'id' | 'url'>,
  because: DisabledReason,
  now: Date,
): Promise<boolean> {
  const count = await database.run(sql`update webhooks
    set status = 'disabled', disabled_because = ${because}, updated_at = ${now}
    where merchant_id = ${merchantId} and id = ${id} and url = ${url} and status = 'enabled' and deleted_at is null`)
  return count === 1
}

export interface DeliveryQueueStats {
  oldestNewAt: Date | null
  waiting: number
  oldestDueAt: Date | null
  failing: number
}

/** Failing webhooks are left out of `oldestDueAt`: their delay is not the service's fault. */
export function deliveryQueueStats(database: Sql, now: Date): Promise<DeliveryQueueStats> {
  return database.one(sql`with pending as materialized (
      select merchant_id, webhook_id, count(*) as waiting, min(due_at) filter (where due_at <= ${now}::timestamptz) as oldest
      from webhook_deliveries where due_at is not null group by merchant_id, webhook_id)
    select new_events.*, queues.*
    from (select min(created_at) as "oldestNewAt" from event_positions where position is null) as new_events,
      (select coalesce(sum(p.waiting), 0)::int as waiting,
        min(p.oldest) filter (where h.failing_since is null) as "oldestDueAt",
        count(*) filter (where h.failing_since is not null)::int as failing
      from webhooks w left join webhook_health h on h.merchant_id = w.merchant_id and h.webhook_id = w.id
      left join pending p on p.merchant_id = w.merchant_id and p.webhook_id = w.id
      where w.status = 'enabled' and w.deleted_at is null) as queues`)
}

/** Fails old pending deliveries of disabled or deleted webhooks, up to the limit; returns their number. */
export function failOldPendingOfDisabledWebhooks(
  database: Sql,
  before: Date,
  now: Date,
  limit: number,
): Promise<number> {
  return database.run(sql`with old_deliveries as (
      select d.merchant_id, d.id from webhook_deliveries d
      join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
      where d.created_at < ${before}::timestamptz and d.state = 'pending'
        and (w.status <> 'enabled' or w.deleted_at is not null)
      order by d.created_at limit ${limit})
    update webhook_deliveries d set state = 'failed', due_at = null, ended_at = ${now}::timestamptz from old_deliveries old
    where d.merchant_id = old.merchant_id and d.id = old.id and d.due_at is not null`)
}

/** Deletes old ended deliveries with their attempts, up to the limit; returns their number. */
export function deleteDeliveriesEndedBefore(database: Sql, before: Date, limit: number): Promise<number> {
  return database.run(sql`with old_deliveries as (
      select merchant_id, id from webhook_deliveries where ended_at < ${before}::timestamptz
      order by ended_at limit ${limit}),
    deleted_attempts as (
      delete from webhook_attempts t using old_deliveries old where t.merchant_id = old.merchant_id and t.delivery_id = old.id)
    delete from webhook_deliveries d using old_deliveries old where d.merchant_id = old.merchant_id and d.id = old.id`)
}

/** Purges deleted webhooks that have no deliveries left, up to the limit; returns their number. */
export function purgeDeletedWebhooks(database: Sql, limit: number): Promise<number> {
  const isPurgeable = sql`w.deleted_at is not null and not exists (
    select from webhook_deliveries d where d.merchant_id = w.merchant_id and d.webhook_id = w.id)`
  // The condition is checked twice, because several instances may purge at the same time.
  return database.run(sql`delete from webhooks w where ${isPurgeable} and (w.merchant_id, w.id) in (
    select w.merchant_id, w.id from webhooks w where ${isPurgeable} order by w.deleted_at limit ${limit})`)
}

/** Makes deliveries due whose due time is later than any wait or claim allows. Returns their number. */
export function resetDeliveryDueTimesAfter(
  database: Sql,
  now: Date,
  latest: { firstAttempt: Date; laterAttempts: Date },
): Promise<number> {
  return database.run(sql`update webhook_deliveries set due_at = ${now} where due_at >
    case attempt_count when 0 then ${latest.firstAttempt}::timestamptz else ${latest.laterAttempts}::timestamptz end`)
}
