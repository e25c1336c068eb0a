import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { objectSchema, optional } from '../../kit/input/fields.ts'
import { merchantArgument, requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { bankNameOf } from './pos.ts'
import { allPos, posOfMerchant } from './store.ts'

export const listPosCommand = command({
  positionals: ['merchant'],
  input: objectSchema({ merchant: optional(merchantArgument.properties.merchant) }),
  run: async (services: Services, { merchant }, print) => {
    const found =
      merchant === undefined
        ? await allPos(services.sql)
        : await posOfMerchant(services.sql, (await requireMerchant(services, merchant)).id)
    if (found.length === 0) return print('There is no POS yet. To add one: vezne pos add MERCHANT')
    const rows = found.map((pos) => [
      String(pos.id),
      String(pos.merchantId),
      pos.state,
      String(pos.priority),
      `${pos.bankCode} ${bankNameOf(pos)}`,
      pos.connector,
      pos.currencies.join(' '),
      pos.families.join(' ') || 'none',
      pos.name,
    ])
    print(
      textTable(
        ['ID', 'MERCHANT', 'STATE', 'PRIORITY', 'BANK', 'CONNECTOR', 'CURRENCIES', 'FAMILIES', 'NAME'],
        rows,
      ),
    )
  },
})
