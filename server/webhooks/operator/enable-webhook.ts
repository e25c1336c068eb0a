import { command } from '../../../kit/command-line/command.ts'
import { objectSchema } from '../../../kit/input/fields.ts'
import type { Services } from '../../services.ts'
import { setWebhookStatus } from './disable-webhook.ts'
import { webhookArgument } from './require-webhook.ts'

export const enableWebhookCommand = command({
  positionals: ['webhook'],
  input: objectSchema(webhookArgument),
  run: async (services: Services, { webhook }, print) => {
    await setWebhookStatus(services, webhook, 'enabled')
    print(`Webhook ${webhook} is enabled.`)
  },
})
