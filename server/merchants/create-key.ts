import { command } from '../../kit/command-line/command.ts'
import { choiceField, objectSchema, optional, textField } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import type { KeyScope, MerchantKey } from './merchant-key.ts'
import { hashOfKey, hintOfKey, newKeyText } from './merchant-key.ts'
import { merchantArgument, requireMerchant } from './show-merchant.ts'
import { insertKey } from './store.ts'

export const createKeyCommand = command({
  positionals: ['merchant'],
  input: objectSchema({
    ...merchantArgument.properties,
    scope: choiceField('A secret key may do everything. A public key may only start 3DS payments.', [
      'secret',
      'public',
    ]),
    label: optional(textField('User of the key: a program or a person.', { max: 100 })),
  }),
  run: async (services: Services, input, print) => {
    const merchant = await requireMerchant(services, input.merchant)
    const { key, text: keyText } = await createKey(services, merchant, input.scope, input.label ?? '')
    print(`key ${key.id} of merchant ${merchant.id} (${merchant.name})`)
    print(keyText)
    print('Store the key now: it is not shown again.')
  },
})

export async function createKey(services: Services, merchant: Merchant, scope: KeyScope, label: string) {
  const made = await generateKey(services, merchant, scope, label)
  await services.sql.transaction(async (sql) => {
    await insertKey(sql, made.key, made.hash)
  })
  return { key: made.key, text: made.text }
}

/** A new key that is not stored yet: the record to store, and the text to show. */
export async function generateKey(
  { ids, random, clock }: Services,
  merchant: Merchant,
  scope: KeyScope,
  label: string,
): Promise<{ key: MerchantKey; hash: string; text: string }> {
  const keyText = newKeyText(scope, merchant.live, random)
  const key: MerchantKey = {
    id: await ids.next(),
    merchantId: merchant.id,
    scope,
    hint: hintOfKey(keyText),
    label,
    createdAt: clock.now(),
    revokedAt: null,
  }
  return { key, hash: hashOfKey(keyText), text: keyText }
}
