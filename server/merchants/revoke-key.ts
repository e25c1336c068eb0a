import { command } from '../../kit/command-line/command.ts'
import { integerField, objectSchema } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { Services } from '../services.ts'
import type { MerchantKey } from './merchant-key.ts'
import { revokeKeyById } from './store.ts'

export const revokeKeyCommand = command({
  positionals: ['key'],
  input: objectSchema({ key: integerField('Id of the key.', { min: 1, max: Number.MAX_SAFE_INTEGER }) }),
  run: async (services: Services, input, print) => {
    const key = await revokeKey(services, input.key)
    print(`Key ${key.id} (${key.hint}) of merchant ${key.merchantId} is revoked.`)
  },
})

export async function revokeKey(services: Services, keyId: number): Promise<MerchantKey> {
  return services.sql.transaction(async (sql) => {
    const key = await revokeKeyById(sql, keyId, services.clock.now())
    if (!key) {
      throw invalidParameter('key', {
        tr: 'Bu numarayla geçerli bir anahtar yok.',
        en: 'There is no valid key with this ID.',
      })
    }
    return key
  })
}
