import { command } from '../../../kit/command-line/command.ts'
import { objectSchema } from '../../../kit/input/fields.ts'
import { assertSameSecretAsService } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { openSecretIfPossible, sealSecret, webhookSecretSealer } from '../records/secrets.ts'
import { replaceSealedSecret, webhookSecretsSealedByOtherKeys } from '../records/webhook.sql.ts'

export const resealWebhookSecretsCommand = command({
  input: objectSchema({}),
  run: async (services: Services, _input, print) => {
    await assertSameSecretAsService(services)
    const { resealed, unopened } = await resealWebhookSecrets(services)
    if (unopened.length > 0) {
      throw new Error(
        `${resealed} secrets resealed. Neither VEZNE_SECRET nor VEZNE_SECRET_PREVIOUS opens the secrets of the webhooks ${unopened.join(', ')}. Check both settings. If the key that sealed them is lost, the merchants must rotate the secrets of these webhooks.`,
      )
    }
    print(`${resealed} secrets resealed.`)
  },
})

/** A secret that neither key of the installation opens stays as it is, and its webhook is returned. */
export async function resealWebhookSecrets(
  services: Pick<Services, 'sql' | 'keyring' | 'random'>,
): Promise<{ resealed: number; unopened: number[] }> {
  const { keyId } = webhookSecretSealer(services.keyring)
  const unopened = new Set<number>()
  let resealed = 0
  for (let behind = 0; ; ) {
    const some = await webhookSecretsSealedByOtherKeys(services.sql, keyId, behind)
    for (const old of some) {
      const secret = openSecretIfPossible(services, old)
      if (secret === undefined) unopened.add(old.webhookId)
      else if (await replaceSealedSecret(services.sql, old, sealSecret(services, old, secret))) resealed += 1
      behind = old.id
    }
    if (some.length === 0) return { resealed, unopened: [...unopened] }
  }
}

/** Reseals while an installation changes its secret, so that no operator has to remember it. */
export async function resealWebhookSecretsInBackground(services: Services): Promise<number> {
  const { resealed, unopened } = await resealWebhookSecrets(services)
  if (unopened.length > 0)
    services.log.error(
      { webhooks: unopened },
      'resealing the secrets of some webhooks failed: they cannot be opened; will retry',
    )
  return resealed
}
