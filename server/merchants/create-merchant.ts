import type { Static } from 'typebox'
import { booleanField, objectSchema, optional } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import { createKey } from './create-key.ts'
import type { Merchant } from './merchant.ts'
import { MerchantSettings, merchantNameField, withSettings } from './merchant.ts'
import { insertMerchant } from './store.ts'

export const CreateMerchant = objectSchema({
  ...MerchantSettings.properties,
  name: merchantNameField,
  live: optional(
    booleanField('true: a live merchant, which takes real payments. This cannot be changed later.'),
  ),
})

/** Creates a merchant with its first two keys, or nothing. The defaults suit a shop in Turkey. */
export async function createMerchant(
  services: Services,
  input: Static<typeof CreateMerchant>,
  madeBy: Merchant['madeBy'] = 'command',
): Promise<{ merchant: Merchant; secretKey: string; publicKey: string }> {
  const now = services.clock.now()
  const merchant = withSettings(
    {
      id: await services.ids.next(),
      name: input.name,
      live: input.live ?? false,
      madeBy,
      state: 'active',
      language: 'tr',
      country: 'TR',
      timeZone: 'Europe/Istanbul',
      currency: 'TRY',
      pageLifetimeMinutes: 30,
      whiteLabel: false,
      productsRequired: false,
      supports3d: true,
      supports2d: false,
      supportsInstallment: true,
      origins: [],
      colour: null,
      website: null,
      supportEmail: null,
      supportPhone: null,
      logo: null,
      settlementDays: 1,
      preAuthDeadlineHours: null,
      atPreAuthDeadline: 'release',
      createdAt: now,
      updatedAt: now,
    },
    input,
  )
  return services.sql.transaction(async (sql) => {
    await insertMerchant(sql, merchant)
    const secret = await createKey({ ...services, sql }, merchant, 'secret', 'first')
    const open = await createKey({ ...services, sql }, merchant, 'public', 'first')
    return { merchant, secretKey: secret.text, publicKey: open.text }
  })
}
