import { resourceSchema, shownIntegerSchema } from '../../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import type { DayOrInstant } from '../../../kit/input/day-or-instant.ts'
import { parseDayOrInstantField, startInstant } from '../../../kit/input/day-or-instant.ts'
import { objectSchema, parsedTextField } from '../../../kit/input/fields.ts'
import { noSuchResource, Refused, rateLimited } from '../../../kit/input/refusals.ts'
import type { Metrics } from '../../../kit/runtime/metrics.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { webhookForUpdate } from '../records/webhook.sql.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { resendEventsToWebhooks } from './resend-events-to-webhooks.ts'
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

/** Merchants with a resend under way, by process. */
const underWay = new WeakMap<Metrics, Set<number>>()

/**
 * Resends, in batches, the events that failed at a webhook since then and were not delivered afterwards.
 * Guarantee: each event is sent once; after an interruption a second call sends nothing that is still
 * pending. A process runs one call for a merchant at a time, because waiting calls would hold database
 * connections that requests need.
 */
export async function resendFailed(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'metrics'>,
  ownedId: OwnedId,
  since: Date,
): Promise<number> {
  const busy = underWay.get(services.metrics) ?? new Set<number>()
  underWay.set(services.metrics, busy)
  if (busy.has(ownedId.merchantId)) throw new Refused(rateLimited, { retryAfterS: 1 })
  busy.add(ownedId.merchantId)
  try {
    return await resendAll(services, ownedId, since)
  } finally {
    busy.delete(ownedId.merchantId)
  }
}

async function resendAll(
  services: Pick<Services, 'sql' | 'ids' | 'clock'>,
  ownedId: OwnedId,
  since: Date,
): Promise<number> {
  const until = services.clock.now()
  let count = 0
  for (let behind: FailedDelivery | undefined; ; ) {
    const some = await resendSome(services, ownedId, { since, until, behind })
    count += some.filter(({ isLast }) => isLast).length
    behind = some.at(-1)
    if (some.length < maxAtOnce) return count
  }
}

/** Resends the last failure of each event in a batch; returns all failures of the batch. */
function resendSome(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  ownedId: OwnedId,
  range: { since: Date; until: Date; behind: FailedDelivery | undefined },
): Promise<FailedDelivery[]> {
  return sql.transaction(async (transaction) => {
    if (!(await webhookForUpdate(transaction, ownedId))) throw new Refused(noSuchResource)
    const failures = await failedDeliveriesOf(transaction, ownedId, { ...range, limit: maxAtOnce })
    const lastFailures = failures.filter(({ isLast }) => isLast)
    const deliveryIds = await ids.nextMany(lastFailures.length)
    const resends = lastFailures.map(({ eventId, kind }, index) => ({
      id: deliveryIds[index] ?? 0,
      webhookId: ownedId.id,
      eventId,
      kind,
    }))
    if (resends.length > 0)
      await resendEventsToWebhooks({ sql: transaction, clock }, ownedId.merchantId, resends)
    return failures
  })
}
