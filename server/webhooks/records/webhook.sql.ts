import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { SealedWebhookSecret } from './secrets.ts'
import { sealedWebhookSecrets } from './secrets.ts'
import type { Webhook } from './webhook.ts'
import { webhookHealth, webhooks } from './webhook.ts'

const notDeleted = webhooks.omit('deletedAt')
const columns = notDeleted.columns('w')
const changeable = notDeleted.omit('merchantId', 'id', 'createdAt')

export function webhookById(database: Sql, { merchantId, id }: OwnedId): Promise<Webhook | undefined> {
  return database.maybe(sql`select ${columns} from webhooks w
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
}

/** Webhook locked against other changes until the end of the transaction, but not against new deliveries. */
export function webhookForUpdate(database: Sql, { merchantId, id }: OwnedId): Promise<Webhook | undefined> {
  return database.maybe(sql`select ${columns} from webhooks w
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null for no key update`)
}

export function webhookOfAnyMerchant(database: Sql, id: number): Promise<Webhook | undefined> {
  return database.maybe(sql`select ${columns} from merchants m
    join webhooks w on w.merchant_id = m.id and w.id = ${id} and w.deleted_at is null`)
}

/** Webhooks of a merchant, the newest first. */
export function webhooksOfMerchant(database: Sql, merchantId: number): Promise<Webhook[]> {
  return database.many(sql`select ${columns} from webhooks w
    where merchant_id = ${merchantId} and deleted_at is null order by created_at desc, id desc`)
}

/** Enabled webhooks, locked until the end of the transaction, always in the same order to avoid deadlocks. */
export function enabledWebhooksForUpdate(database: Sql, merchantId: number): Promise<Webhook[]> {
  return database.many(sql`select ${columns} from webhooks w
    where merchant_id = ${merchantId} and deleted_at is null and status = 'enabled' order by id for no key update`)
}

export async function countWebhooksOfMerchant(database: Sql, merchantId: number): Promise<number> {
  const { count } = await database.one<{ count: number }>(sql`select count(*)::integer as count from webhooks
    where merchant_id = ${merchantId} and deleted_at is null`)
  return count
}

export async function insertWebhook(database: Sql, webhook: Webhook): Promise<void> {
  await database.run(sql`insert into webhooks (${notDeleted.names}) values (${notDeleted.values(webhook)})`)
}

export async function updateWebhook(database: Sql, webhook: Webhook): Promise<void> {
  await database.run(sql`update webhooks set ${changeable.assignments(webhook)}
    where merchant_id = ${webhook.merchantId} and id = ${webhook.id}`)
}

export async function resetWebhookHealth(database: Sql, { merchantId, id }: OwnedId): Promise<void> {
  await database.run(sql`delete from webhook_health where merchant_id = ${merchantId} and webhook_id = ${id}`)
}

/** Also erases its secrets. One without deliveries is removed completely. Returns false if there was none. */
export async function softDeleteWebhook(database: Sql, ownedId: OwnedId, now: Date): Promise<boolean> {
  const { merchantId, id } = ownedId
  // Locked first, so that the deletion waits for deliveries being inserted, and sees them.
  const locked = await database.maybe(sql`select id from webhooks
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null for update`)
  if (!locked) return false
  await database.run(
    sql`update webhooks set deleted_at = ${now} where merchant_id = ${merchantId} and id = ${id}`,
  )
  await database.run(
    sql`delete from webhook_secrets where merchant_id = ${merchantId} and webhook_id = ${id}`,
  )
  await resetWebhookHealth(database, ownedId)
  await database.run(sql`delete from webhooks where merchant_id = ${merchantId} and id = ${id} and not exists (
    select from webhook_deliveries where merchant_id = ${merchantId} and webhook_id = ${id})`)
  return true
}

/** Inserts the newest secret; the one before it signs until `beforeUntil`. */
export async function insertSecretAndRetireOthers(
  database: Sql,
  secret: SealedWebhookSecret,
  { now, beforeUntil, limit }: { now: Date; beforeUntil: Date; limit: number },
): Promise<void> {
  const { merchantId, webhookId } = secret
  await database.run(sql`update webhook_secrets set signs_until = ${beforeUntil}
    where merchant_id = ${merchantId} and webhook_id = ${webhookId} and signs_until is null`)
  await database.run(sql`insert into webhook_secrets (${sealedWebhookSecrets.names}, created_at)
    values (${sealedWebhookSecrets.values(secret)}, ${now})`)
  // Expired secrets are deleted, and the oldest ones above the limit.
  await database.run(sql`delete from webhook_secrets
    where merchant_id = ${merchantId} and webhook_id = ${webhookId} and (signs_until <= ${now} or id not in (
    select id from webhook_secrets where merchant_id = ${merchantId} and webhook_id = ${webhookId}
    order by signs_until desc nulls first, id desc limit ${limit}))`)
}

/** Up to 100 secrets sealed by other keys, with ids above `behind`, in order of their ids. */
export function webhookSecretsSealedByOtherKeys(
  database: Sql,
  keyId: string,
  behind: number,
): Promise<SealedWebhookSecret[]> {
  return database.many(sql`select ${sealedWebhookSecrets.columns()}
    from webhook_secrets where key_id <> ${keyId} and id > ${behind} order by id limit 100`)
}

/** Replaces a sealed secret unless it was resealed or erased meanwhile; returns true if it did. */
export async function replaceSealedSecret(
  database: Sql,
  { merchantId, id, keyId }: SealedWebhookSecret,
  sealed: Pick<SealedWebhookSecret, 'bytes' | 'keyId'>,
): Promise<boolean> {
  const count =
    await database.run(sql`update webhook_secrets set bytes = ${sealed.bytes}, key_id = ${sealed.keyId}
    where merchant_id = ${merchantId} and id = ${id} and key_id = ${keyId}`)
  return count === 1
}

const health = webhookHealth.pick('failingSince', 'pausedUntil')

export interface WebhookWithDeliveryCounts extends Webhook, RowOf<typeof health> {
  pending: number
  /** Failed deliveries without tests. */
  failed: number
}

/** Webhooks of all merchants or of one. Pending and failed deliveries are counted up to `countedTo`. */
export function webhooksWithDeliveryCounts(
  database: Sql,
  merchantId: number | undefined,
  countedTo: number,
): Promise<WebhookWithDeliveryCounts[]> {
  const merchant = merchantId === undefined ? sql`w.merchant_id` : sql`${merchantId}`
  const counted = (which: SqlFragment) => sql`(select count(*)::integer from (
      select from webhook_deliveries d where d.merchant_id = ${merchant} and d.webhook_id = w.id
        and ${which} limit ${countedTo}) as counted)`
  return database.many(sql`select ${columns}, ${health.columns('h')},
      ${counted(sql`d.due_at is not null`)} as pending,
      ${counted(sql`d.state = 'failed' and d.reason <> 'test'`)} as failed
    from webhooks w left join webhook_health h on h.merchant_id = ${merchant} and h.webhook_id = w.id
    where w.merchant_id = ${merchant} and w.deleted_at is null
    order by w.created_at desc, w.id desc`)
}
