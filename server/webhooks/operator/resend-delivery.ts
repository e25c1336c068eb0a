import { command } from '../../../kit/command-line/command.ts'
import { idField, objectSchema } from '../../../kit/input/fields.ts'
import { invalidParameter, Refused } from '../../../kit/input/refusals.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import { requireMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { resendEvent } from '../deliveries/resend-event.ts'
import { deliveryOfAnyMerchant } from '../deliveries/store.ts'
import type { DeliveryWithAttempts } from '../records/delivery.ts'

export const resendDeliveryCommand = command({
  positionals: ['delivery'],
  input: objectSchema({ delivery: idField('Id of the delivery, from `vezne webhook deliveries`.') }),
  run: async (services: Services, { delivery }, print) => {
    const sent = await resendDelivery(services, delivery)
    const description = sent.id === delivery ? 'was still pending and' : `of the event ${sent.eventId}`
    print(`Delivery ${sent.id} ${description} is attempted ${await whenOf(services, sent)}.`)
  },
})

/** Time of the next attempt: a webhook's `Retry-After` applies to resends too. */
async function whenOf(
  services: Services,
  { merchantId, pausedUntil }: DeliveryWithAttempts,
): Promise<string> {
  if (pausedUntil === null || pausedUntil <= services.clock.now()) return 'now'
  const { timeZone } = await requireMerchant(services, merchantId)
  return `at ${isoTime(pausedUntil, timeZone)}: the webhook asked us to wait until then (Retry-After)`
}

async function resendDelivery(services: Services, deliveryId: number): Promise<DeliveryWithAttempts> {
  const before = await deliveryOfAnyMerchant(services.sql, deliveryId)
  if (!before) throw invalidParameter('delivery', noDelivery)
  if (before.reason === 'test') throw invalidParameter('delivery', isTest)
  const { merchantId, eventId, webhookId } = before
  try {
    const [sent] = await resendEvent(services, { id: merchantId }, eventId, webhookId)
    if (!sent) throw new Error(`nothing was sent to the webhook ${webhookId}`)
    return sent
  } catch (error) {
    // A complaint about the webhook becomes one about the delivery, because the operator typed no webhook.
    const sentences = error instanceof Refused ? error.complaints?.get('webhook_id') : undefined
    throw sentences ? invalidParameter('delivery', ...sentences) : error
  }
}

const noDelivery: LocalizedText = {
  tr: 'Bu numarayla bir gönderim yok.',
  en: 'There is no delivery with this ID.',
}

const isTest: LocalizedText = {
  tr: 'Bu bir test gönderimiydi; yeniden gönderilecek bir olay yok.',
  en: 'This was a test delivery: there is no event to send again.',
}
