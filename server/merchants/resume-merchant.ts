import { command } from '../kit/command.ts'
import type { Services } from '../services.ts'
import { merchantPlace } from './show-merchant.ts'
import { setMerchantState } from './suspend-merchant.ts'

export const resumeMerchantCommand = command({
  places: ['merchant'],
  input: merchantPlace,
  run: async (services: Services, input, print) => {
    const { id, name } = await setMerchantState(services, input.merchant, 'active')
    print(`Merchant ${id} (${name}) is active.`)
  },
})
