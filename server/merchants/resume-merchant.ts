import { command } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'
import { merchantArgument } from './show-merchant.ts'
import { setMerchantState } from './suspend-merchant.ts'

export const resumeMerchantCommand = command({
  positionals: ['merchant'],
  input: merchantArgument,
  run: async (services: Services, input, print) => {
    const { id, name } = await setMerchantState(services, input.merchant, 'active')
    print(`Merchant ${id} (${name}) is active.`)
  },
})
