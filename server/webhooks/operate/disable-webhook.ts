import { command } from '../../kit/command.ts'
import { record } from '../../kit/fields.ts'
import type { Services } from '../../services.ts'
import { switchWebhook } from './switch-webhook.ts'
import { webhookPlace } from './the-webhook.ts'

export const disableWebhookCommand = command({
  positionals: ['webhook'],
  input: record(webhookPlace),
  run: async (services: Services, { webhook }, print) => {
    const { disabledBecause } = await switchWebhook(services, webhook, 'disabled')
    print(`Webhook ${webhook} is disabled (${disabledBecause}).`)
  },
})
