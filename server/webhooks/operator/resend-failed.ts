import { command } from '../../../kit/command-line/command.ts'
import type { DayOrInstant } from '../../../kit/input/day-or-instant.ts'
import { parseDayOrInstantField, startInstant } from '../../../kit/input/day-or-instant.ts'
import { objectSchema, parsedTextField } from '../../../kit/input/fields.ts'
import { requireMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { resendFailed } from '../deliveries/resend-failed.ts'
import { requireWebhook, webhookArgument } from './require-webhook.ts'

export const resendFailedCommand = command({
  positionals: ['webhook'],
  input: objectSchema({
    ...webhookArgument,
    since: parsedTextField<DayOrInstant>(
      'Start of the period: a day, or a time with its UTC offset, for example 2026-11-15T09:30:00+03:00.',
      {
        max: 40,
        parse: parseDayOrInstantField,
      },
    ),
  }),
  run: async (services: Services, { webhook: webhookId, since }, print) => {
    const webhook = await requireWebhook(services, webhookId)
    const { timeZone } = await requireMerchant(services, webhook.merchantId)
    const count = await resendFailed(services, webhook, startInstant(since, timeZone))
    const waits = webhook.status === 'disabled' && count > 0
    print(`${count} sent again.${waits ? ' They wait until the webhook is enabled.' : ''}`)
  },
})
