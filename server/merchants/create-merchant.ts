import type { Static } from 'typebox'
import { command } from '../kit/command.ts'
import { flag, optional, record } from '../kit/fields.ts'
import type { Services } from '../services.ts'
import { makeKey } from './create-key.ts'
import type { Merchant } from './merchant.ts'
import { merchantSettings } from './merchant.ts'
import { insertKey, insertMerchant } from './store.ts'

const CreateMerchant = record({
  ...merchantSettings,
  language: optional(merchantSettings.language),
  country: optional(merchantSettings.country),
  time_zone: optional(merchantSettings.time_zone),
  currency: optional(merchantSettings.currency),
  page_lifetime_minutes: optional(merchantSettings.page_lifetime_minutes),
  white_label: optional(merchantSettings.white_label),
  products_required: optional(merchantSettings.products_required),
  supports_3d: optional(merchantSettings.supports_3d),
  supports_2d: optional(merchantSettings.supports_2d),
  supports_installment: optional(merchantSettings.supports_installment),
  origins: optional(merchantSettings.origins),
  colour: optional(merchantSettings.colour),
  live: optional(flag('Whether it takes real payments. It stays so for good.')),
})

export const createMerchantCommand = command({
  name: 'merchant create',
  about: 'Makes a merchant with a secret and a public key. The keys are shown this once.',
  example: 'vezne merchant create --name "Kitap Evi" --live true --origins https://kitapevi.example',
  input: CreateMerchant,
  run: async (services: Services, input, print) => {
    const { merchant, secretKey, publicKey } = await createMerchant(services, input)
    print(`merchant    ${merchant.id}  ${merchant.name} (${merchant.live ? 'live' : 'test'})`)
    print(`secret key  ${secretKey}`)
    print(`public key  ${publicKey}`)
    print('Keep the secret key now: it is not shown again.')
  },
})

/** Makes a merchant and its first two keys, or nothing. What is not said is as a Turkish shop would have it. */
export async function createMerchant(
  services: Services,
  input: Static<typeof CreateMerchant>,
  madeBy: Merchant['madeBy'] = 'command',
): Promise<{ merchant: Merchant; secretKey: string; publicKey: string }> {
  const now = services.clock.now()
  const merchant: Merchant = {
    id: await services.ids.next(),
    name: input.name,
    live: input.live ?? false,
    madeBy,
    state: 'active',
    language: input.language ?? 'tr',
    country: input.country ?? 'TR',
    timeZone: input.time_zone ?? 'Europe/Istanbul',
    currency: input.currency ?? 'TRY',
    pageLifetimeMinutes: input.page_lifetime_minutes ?? 30,
    whiteLabel: input.white_label ?? false,
    productsRequired: input.products_required ?? false,
    supports3d: input.supports_3d ?? true,
    supports2d: input.supports_2d ?? false,
    supportsInstallment: input.supports_installment ?? true,
    origins: input.origins ?? [],
    colour: input.colour ?? null,
    createdAt: now,
    updatedAt: now,
  }
  const secret = await makeKey(services, merchant, 'secret', 'first')
  const open = await makeKey(services, merchant, 'public', 'first')
  await services.sql.transaction(async (sql) => {
    await insertMerchant(sql, merchant)
    await insertKey(sql, secret.key, secret.hash)
    await insertKey(sql, open.key, open.hash)
  })
  return { merchant, secretKey: secret.text, publicKey: open.text }
}
