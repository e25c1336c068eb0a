import type { KnownWebhook, ShopFile } from './shop-file.ts'
import type { VezneClient, VezneResponse } from './vezne-client.ts'

/** Identifies the shop's webhook if its id is lost. */
const description = 'Demo shop'

interface Listed {
  id: number
  url: string
  description: string | null
  status: string
}

/** Vezne refuses the webhook, and a retry would not help. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/**
 * Makes sure that the shop's webhook points here and its secret is known. Guarantee: the shop has exactly one
 * webhook, however often it starts, on any port, and even if its file is lost.
 */
export async function registerWebhook(
  vezne: VezneClient,
  file: ShopFile,
  url: string,
): Promise<KnownWebhook> {
  const known = file.read()
  const listed: Listed[] = fine(await vezne.send('GET', '/v1/webhooks'))
  const own =
    listed.find(({ id }) => id === known?.id) ?? listed.find((each) => each.description === description)
  if (!own) return saved(file, fine(await vezne.send('POST', '/v1/webhooks', { body: { url, description } })))
  const path = `/v1/webhooks/${own.id}`
  if (own.url !== url || own.status !== 'enabled')
    fine(await vezne.send('POST', path, { body: { url, status: 'enabled' } }))
  if (known?.id === own.id) return known
  return saved(file, fine(await vezne.send('POST', `${path}/rotate-secret`)))
}

function saved(file: ShopFile, { id, secret }: KnownWebhook): KnownWebhook {
  file.write({ id, secret })
  return { id, secret }
}

function fine({ status, json }: VezneResponse) {
  if (status === 200) return json
  const why = `Vezne answered ${status}: ${json?.message}`
  throw status === 422 ? new WebhookRefused(why) : new Error(why)
}
