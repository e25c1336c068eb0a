import { command } from '../../kit/command.ts'
import { parsed, record } from '../../kit/fields.ts'
import type { Moment } from '../../kit/moment.ts'
import { beginningOf, readMoment } from '../../kit/moment.ts'
import { theMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { resendFailed } from '../deliveries/resend-failed.ts'
import { theWebhook, webhookPlace } from './the-webhook.ts'

export const resendFailedCommand = command({
  places: ['webhook'],
  input: record({
    ...webhookPlace,
    since: parsed<Moment>('A day, or a time with its UTC offset: 2026-11-15T09:30:00+03:00.', {
      max: 40,
      parse: readMoment,
    }),
  }),
  run: async (services: Services, { webhook: webhookId, since }, print) => {
    const webhook = await theWebhook(services, webhookId)
    const { timeZone } = await theMerchant(services, webhook.merchantId)
    const count = await resendFailed(services, webhook, beginningOf(since, timeZone))
    const waits = webhook.status === 'disabled' && count > 0
    print(`${count} sent again.${waits ? ' They wait until the webhook is enabled.' : ''}`)
  },
})
