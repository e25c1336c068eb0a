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

/** Creates a key: the stored record, and the text, which is shown only now. */
export async function createKey(
  { sql, ids, random, clock }: Services,
  merchant: Merchant,
  scope: KeyScope,
  label: string,
): Promise<{ key: MerchantKey; text: string }> {
  const text = newKeyText(scope, merchant.live, random)
  const key: MerchantKey = {
    id: await ids.next(),
    merchantId: merchant.id,
    scope,
    hint: hintOfKey(text),
    label,
    createdAt: clock.now(),
    revokedAt: null,
  }
  await sql.transaction((transaction) => insertKey(transaction, key, hashOfKey(text)))
  return { key, text }
}
