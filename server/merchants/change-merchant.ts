import type { Static } from 'typebox'
import { command, WrongUsage } from '../../kit/command-line/command.ts'
import { choiceField, objectSchema, optional } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { MerchantSettings, maxOrigins, originListField, withSettings } from './merchant.ts'
import { merchantArgument, merchantTextLines, requireMerchant } from './show-merchant.ts'
import { lockMerchantById, updateMerchant } from './store.ts'

/** Settings that a merchant can be without. */
const clearable = [
  'origins',
  'colour',
  'website',
  'support-email',
  'support-phone',
  'pre-auth-deadline-hours',
] as const

const ChangeMerchant = objectSchema({
  ...merchantArgument.properties,
  ...MerchantSettings.properties,
  add_origins: optional(originListField('Web origins to add to the existing ones.')),
  clear: optional(choiceField('Setting to clear.', clearable)),
})

export const changeMerchantCommand = command({
  positionals: ['merchant'],
  input: ChangeMerchant,
  run: async (services: Services, input, print) => {
    if (Object.keys(input).length === 1) throw new WrongUsage('Give at least one setting to change.')
    for (const line of merchantTextLines(await changeMerchant(services, input))) print(line)
  },
})

/** Changes the given settings and keeps the others. A merchant's mode, test or live, cannot be changed. */
export async function changeMerchant(
  services: Services,
  input: Static<typeof ChangeMerchant>,
): Promise<Merchant> {
  return services.sql.transaction(async (sql) => {
    const merchant = await requireMerchant({ sql }, input.merchant, lockMerchantById)
    const changed = {
      ...cleared(withSettings(merchant, input), input.clear),
      updatedAt: services.clock.now(),
    }
    changed.origins = [...new Set([...changed.origins, ...(input.add_origins ?? [])])]
    if (changed.origins.length > maxOrigins)
      throw new WrongUsage(`A merchant can have at most ${maxOrigins} origins.`)
    await updateMerchant(sql, changed)
    return changed
  })
}

function cleared(merchant: Merchant, setting: (typeof clearable)[number] | undefined): Merchant {
  switch (setting) {
    case undefined:
      return merchant
    case 'origins':
      return { ...merchant, origins: [] }
    case 'colour':
      return { ...merchant, colour: null }
    case 'website':
      return { ...merchant, website: null }
    case 'support-email':
      return { ...merchant, supportEmail: null }
    case 'support-phone':
      return { ...merchant, supportPhone: null }
    case 'pre-auth-deadline-hours':
      return { ...merchant, preAuthDeadlineHours: null }
  }
}
