import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import { merchantArgument, requireMerchant } from './show-merchant.ts'
import { keysOfMerchant } from './store.ts'

export const listKeysCommand = command({
  positionals: ['merchant'],
  input: merchantArgument,
  run: async (services: Services, input, print) => {
    const merchant = await requireMerchant(services, input.merchant)
    const keys = await keysOfMerchant(services.sql, merchant.id)
    const rows = keys.map((key) => [
      String(key.id),
      key.scope,
      key.hint,
      isoTime(key.createdAt, merchant.timeZone),
      key.revokedAt ? isoTime(key.revokedAt, merchant.timeZone) : '-',
      key.label,
    ])
    print(textTable(['ID', 'SCOPE', 'KEY', 'CREATED', 'REVOKED', 'LABEL'], rows))
  },
})
