import { command } from '../../kit/command-line/command.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import { assertSameSecretAsService, openSecretsIfKeyKnown, posSeals, sealSecrets } from './secrets.ts'
import { posSecretsOfOtherKeys, replaceSecrets } from './store.ts'

export const resealPosSecretsCommand = command({
  input: objectSchema({}),
  run: async (services: Services, _input, print) => {
    await assertSameSecretAsService(services)
    const { resealed, unopened } = await resealPosSecrets(services)
    if (unopened.length > 0) {
      throw new Error(
        `${resealed} secrets resealed. Neither VEZNE_SECRET nor VEZNE_SECRET_PREVIOUS opens the secrets of POS ${unopened.join(', ')}. Check both settings. If the key that sealed them is lost, enter the secrets again: vezne pos change POS --secrets FILE`,
      )
    }
    print(`${resealed} secrets resealed.`)
  },
})

/**
 * Reseals secrets that the installation's previous secret sealed. Secrets that neither key opens stay as they
 * are, and their POS are returned.
 */
export async function resealPosSecrets(
  services: Pick<Services, 'sql' | 'keyring' | 'random'>,
): Promise<{ resealed: number; unopened: number[] }> {
  const keyId = posSeals(services.keyring).keyId
  const unopened: number[] = []
  let resealed = 0
  for (let behind = 0; ; ) {
    const some = await posSecretsOfOtherKeys(services.sql, keyId, behind)
    for (const old of some) {
      const secrets = openSecretsIfKeyKnown(services, old)
      if (!secrets) unopened.push(old.id)
      else if (await replaceSecrets(services.sql, old, sealSecrets(services, old, secrets))) resealed += 1
      behind = old.id
    }
    if (some.length === 0) return { resealed, unopened }
  }
}

/**
 * Background job that reseals while an installation changes its secret, so that no operator has to remember
 * it.
 */
export async function resealPosSecretsInBackground(services: Services): Promise<number> {
  const { resealed, unopened } = await resealPosSecrets(services)
  if (unopened.length > 0)
    services.log.error(
      { pos: unopened },
      'opening the secrets of a POS failed with VEZNE_SECRET and VEZNE_SECRET_PREVIOUS; will retry',
    )
  return resealed
}
