import { command } from '../../kit/command.ts'
import { record } from '../../kit/fields.ts'
import type { Services } from '../../services.ts'
import { switchWebhook } from './switch-webhook.ts'
import { webhookPlace } from './the-webhook.ts'

export const enableWebhookCommand = command({
  positionals: ['webhook'],
  input: record(webhookPlace),
  run: async (services: Services, { webhook }, print) => {
    await switchWebhook(services, webhook, 'enabled')
    print(`Webhook ${webhook} is enabled.`)
  },
})
