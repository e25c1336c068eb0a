import { command } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { merchantArgument, requireMerchant } from './show-merchant.ts'
import { lockMerchantById, updateMerchant } from './store.ts'

export const suspendMerchantCommand = command({
  positionals: ['merchant'],
  input: merchantArgument,
  run: async (services: Services, input, print) => {
    const { id, name } = await setMerchantState(services, input.merchant, 'suspended')
    print(`Merchant ${id} (${name}) is suspended. To resume it: vezne merchant resume ${id}`)
  },
})

export async function setMerchantState(
  services: Services,
  id: number,
  state: Merchant['state'],
): Promise<Merchant> {
  return services.sql.transaction(async (sql) => {
    const merchant = await requireMerchant({ sql }, id, lockMerchantById)
    const changed = { ...merchant, state, updatedAt: services.clock.now() }
    await updateMerchant(sql, changed)
    return changed
  })
}
