import { resourceSchema, shownIntegerSchema } from '../../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import type { DayOrInstant } from '../../../kit/input/day-or-instant.ts'
import { parseDayOrInstantField, startInstant } from '../../../kit/input/day-or-instant.ts'
import { objectSchema, parsedTextField } from '../../../kit/input/fields.ts'
import { Refused, rateLimited } from '../../../kit/input/refusals.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { announceDueNow } from '../../instances/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { requireMerchantWebhook } from '../manage/read-webhook.ts'
import { webhookForUpdate } from '../records/webhook.sql.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { resendEventsToWebhooks } from './resend-event.ts'
import type { FailedDelivery } from './store.ts'
import { failedDeliveriesOf } from './store.ts'

/** Limit of failures that one transaction reads. */
const maxAtOnce = 2_000

const Resent = resourceSchema(
  'ResentDeliveries',
  { tr: 'Yeniden gönderimin sonucu.', en: 'Result of the resend.' },
  {
    resent: shownIntegerSchema(
      { tr: 'Yeniden gönderilen olayların sayısı.', en: 'Number of events that are sent again.' },
      3,
    ),
  },
)

export const resendFailedRoute = route({
  method: 'POST',
  url: '/v1/webhooks/:webhook_id/resend-failed',
  summary: { tr: 'Ulaşmayan olayları yeniden gönder', en: 'Resend failed deliveries' },
  description: {
    tr: 'Verilen zamandan beri bu webhook’a ulaşmayan (`failed`) bütün olayları birer kez yeniden gönderir; sonradan ulaşan olayları göndermez. Webhook kapalıysa gönderimler webhook açılana kadar bekler.',
    en: 'Sends again, once each, all events that `failed` at this webhook since the given time and have not arrived since. If the webhook is disabled, the deliveries wait until it is enabled.',
  },
  credential: 'secret',
  params: webhookIdParams,
  body: objectSchema({
    since: parsedTextField<DayOrInstant>(
      {
        tr: 'Başlangıç zamanı: bir gün (2026-11-15) ya da UTC farkı belirtilmiş bir tarih ve saat.',
        en: 'Start time: a day (2026-11-15) or a time with a UTC offset.',
      },
      { max: 40, parse: parseDayOrInstantField, example: '2026-11-15' },
    ),
  }),
  answer: bareResponseDefinition(Resent),
  handle: async (services: Services, merchant: Merchant, { params, body }) => {
    const ownedId = { merchantId: merchant.id, id: params.webhook_id }
    return { resent: await resendFailed(services, ownedId, startInstant(body.since, merchant.timeZone)) }
  },
})

const merchantsWithResendUnderWay = () => new Set<number>()

/**
 * Resends, in batches, the events that failed at a webhook since then and were not delivered afterwards.
 * Guarantee: each event is sent once; after an interruption a second call sends nothing that is still
 * pending. A process runs one call for a merchant at a time, because waiting calls would hold database
 * connections that requests need.
 */
export async function resendFailed(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'processState'>,
  ownedId: OwnedId,
  since: Date,
): Promise<number> {
  const busy = services.processState.of(merchantsWithResendUnderWay)
  if (busy.has(ownedId.merchantId)) throw new Refused(rateLimited, { retryAfterS: 1 })
  busy.add(ownedId.merchantId)
  try {
    return await resendAll(services, ownedId, since)
  } finally {
    announceDueNow(services)
    busy.delete(ownedId.merchantId)
  }
}

async function resendAll(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  ownedId: OwnedId,
  since: Date,
): Promise<number> {
  const until = clock.now()
  let count = 0
  for (let behind: FailedDelivery | undefined; ; ) {
    const range = { since, until, behind }
    const failures = await sql.transaction(async (transaction) => {
      await requireMerchantWebhook(transaction, ownedId, webhookForUpdate)
      const batch = await failedDeliveriesOf(transaction, ownedId, range, maxAtOnce)
      const resends = batch
        .filter(({ isLast }) => isLast)
        .map(({ eventId, kind }) => ({ webhookId: ownedId.id, eventId, kind }))
      if (resends.length > 0)
        await resendEventsToWebhooks({ sql: transaction, ids, clock }, ownedId.merchantId, resends)
      return batch
    })
    count += failures.filter(({ isLast }) => isLast).length
    behind = failures.at(-1)
    if (failures.length < maxAtOnce) return count
  }
}
