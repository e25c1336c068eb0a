import type { Static } from 'typebox'
import { command, WrongUsage } from '../kit/command.ts'
import { choice, optional, record } from '../kit/fields.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { merchantSettings } from './merchant.ts'
import { describeMerchant, merchantPlace, theMerchant } from './show-merchant.ts'
import { merchantForChange, updateMerchant } from './store.ts'

const ChangeMerchant = record({
  ...merchantPlace.properties,
  name: optional(merchantSettings.name),
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
  clear: optional(choice('A setting to empty.', ['origins', 'colour'])),
})

export const changeMerchantCommand = command({
  name: 'merchant change',
  about: 'Changes the given settings of a merchant. Running copies follow within five seconds.',
  example: 'vezne merchant change 10000000000001 --white-label true --colour "#0b5fff"',
  places: ['merchant'],
  input: ChangeMerchant,
  run: async (services: Services, input, print) => {
    if (Object.keys(input).length === 1) throw new WrongUsage('Nothing to change was given.')
    for (const line of describeMerchant(await changeMerchant(services, input))) print(line)
  },
})

/** Changes what is given and leaves the rest. Whether a merchant is test or live cannot be changed. */
export async function changeMerchant(
  services: Services,
  input: Static<typeof ChangeMerchant>,
): Promise<Merchant> {
  return services.sql.transaction(async (sql) => {
    const merchant = await theMerchant({ sql }, input.merchant, merchantForChange)
    const changed: Merchant = {
      ...merchant,
      name: input.name ?? merchant.name,
      language: input.language ?? merchant.language,
      country: input.country ?? merchant.country,
      timeZone: input.time_zone ?? merchant.timeZone,
      currency: input.currency ?? merchant.currency,
      pageLifetimeMinutes: input.page_lifetime_minutes ?? merchant.pageLifetimeMinutes,
      whiteLabel: input.white_label ?? merchant.whiteLabel,
      productsRequired: input.products_required ?? merchant.productsRequired,
      supports3d: input.supports_3d ?? merchant.supports3d,
      supports2d: input.supports_2d ?? merchant.supports2d,
      supportsInstallment: input.supports_installment ?? merchant.supportsInstallment,
      origins: input.clear === 'origins' ? [] : (input.origins ?? merchant.origins),
      colour: input.clear === 'colour' ? null : (input.colour ?? merchant.colour),
      updatedAt: services.clock.now(),
    }
    await updateMerchant(sql, changed)
    return changed
  })
}
