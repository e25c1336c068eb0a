import type { KnownWebhook, ShopFile } from './shop-file.ts'
import type { VezneClient, VezneResponse } from './vezne-client.ts'

/** What the shop's own webhook is known by, when its id is lost. */
const description = 'Demo shop'

interface Listed {
  id: number
  url: string
  description: string | null
  status: string
}

/** Vezne will not have the webhook, however often it is asked. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/**
 * Sees to it that the shop's webhook leads here, and that its secret is known. Guarantee: however often the shop is
 * started, on whichever port, and whatever of its file is lost, there is one webhook of its own and no more.
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
  if (!own) return saved(file, fine(await vezne.send('POST', '/v1/webhooks', { url, description })))
  const path = `/v1/webhooks/${own.id}`
  if (own.url !== url || own.status !== 'enabled')
    fine(await vezne.send('POST', path, { url, status: 'enabled' }))
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
