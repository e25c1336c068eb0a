import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import { allMerchants } from './store.ts'

export const listMerchantsCommand = command({
  input: objectSchema({}),
  run: async ({ sql }: Services, _input, print) => {
    const merchants = await allMerchants(sql)
    if (merchants.length === 0) return print('There is no merchant yet. To create one: vezne merchant create')
    const rows = merchants.map((merchant) => [
      String(merchant.id),
      merchant.live ? 'live' : 'test',
      merchant.state,
      isoTime(merchant.createdAt, merchant.timeZone),
      merchant.name,
    ])
    print(textTable(['ID', 'MODE', 'STATE', 'CREATED', 'NAME'], rows))
  },
})
