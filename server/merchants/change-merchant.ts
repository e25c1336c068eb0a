import type { Static } from 'typebox'
import { command, WrongUsage } from '../../kit/command-line/command.ts'
import { choiceField, objectSchema, optional } from '../../kit/input/fields.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { MerchantSettings, maxOrigins, originListField, withSettings } from './merchant.ts'
import { merchantArgument, merchantTextLines, requireMerchant } from './show-merchant.ts'
import { lockMerchantById, updateMerchant } from './store.ts'

const ChangeMerchant = objectSchema({
  ...merchantArgument.properties,
  ...MerchantSettings.properties,
  add_origins: optional(originListField('Web origins to add to the existing ones.')),
  clear: optional(choiceField('Setting to clear.', ['origins', 'colour', 'pre-auth-deadline-hours'])),
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
    const changed = { ...withSettings(merchant, input), updatedAt: services.clock.now() }
    if (input.clear === 'origins') changed.origins = []
    changed.origins = [...new Set([...changed.origins, ...(input.add_origins ?? [])])]
    if (changed.origins.length > maxOrigins)
      throw new WrongUsage(`A merchant can have at most ${maxOrigins} origins.`)
    if (input.clear === 'colour') changed.colour = null
    if (input.clear === 'pre-auth-deadline-hours') changed.preAuthDeadlineHours = null
    await updateMerchant(sql, changed)
    return changed
  })
}
