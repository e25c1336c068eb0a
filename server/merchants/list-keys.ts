import { command } from '../kit/command.ts'
import { table } from '../kit/table.ts'
import { isoTime } from '../kit/zoned-time.ts'
import type { Services } from '../services.ts'
import { merchantPlace, theMerchant } from './show-merchant.ts'
import { keysOfMerchant } from './store.ts'

export const listKeysCommand = command({
  places: ['merchant'],
  input: merchantPlace,
  run: async (services: Services, input, print) => {
    const merchant = await theMerchant(services, input.merchant)
    const keys = await keysOfMerchant(services.sql, merchant.id)
    const rows = keys.map((key) => [
      String(key.id),
      key.scope,
      key.hint,
      isoTime(key.createdAt, merchant.timeZone),
      key.revokedAt ? isoTime(key.revokedAt, merchant.timeZone) : '-',
      key.label,
    ])
    print(table(['ID', 'SCOPE', 'KEY', 'CREATED', 'REVOKED', 'LABEL'], rows))
  },
})
