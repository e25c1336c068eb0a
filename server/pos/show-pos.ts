import { command } from '../../kit/command-line/command.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import type { Refused } from '../../kit/input/refusals.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { connectorByName } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Pos } from './pos.ts'
import { bankNameOf, posArgument } from './pos.ts'
import { settingsWithDefaults } from './settings.ts'
import { posById } from './store.ts'

export const showPosCommand = command({
  positionals: ['pos'],
  input: objectSchema(posArgument),
  run: async (services: Services, input, print) => {
    const pos = await requirePos(services, input.pos)
    for (const line of posTextLines(pos, await requireMerchant(services, pos.merchantId))) print(line)
    print(`To list its rates: vezne rate list ${pos.id}`)
  },
})

/** POS with this id; throws a refusal of the parameter if there is none. */
export async function requirePos(
  { sql }: Pick<Services, 'sql'>,
  id: number,
  findPos = posById,
): Promise<Pos> {
  const pos = await findPos(sql, id)
  if (pos) return pos
  throw invalidParameter('pos', {
    tr: 'Bu numarayla bir POS yok.',
    en: 'There is no POS with this ID.',
  })
}

export function nameTakenRefusal(): Refused {
  return invalidParameter('name', {
    tr: 'Bu üye iş yerinin bu adla başka bir POS’u var.',
    en: 'The merchant has another POS with this name.',
  })
}

export function posTextLines(pos: Pos, merchant: Merchant): string[] {
  const connector = connectorByName(pos.connector)
  const rows: [string, string | number][] = [
    ['id', pos.id],
    ['name', pos.name],
    ['merchant', `${merchant.id} ${merchant.name} (${merchant.live ? 'live' : 'test'})`],
    ['bank', `${pos.bankCode} ${bankNameOf(pos)}`],
    ['connector', pos.connector],
    ['currencies', pos.currencies.join(' ')],
    ['families', pos.families.join(' ') || 'none: only single payments'],
    ['state', pos.state],
    ['priority', pos.priority],
    ...Object.entries(connector ? settingsWithDefaults(connector, pos.settings) : pos.settings),
    ['secrets', 'sealed'],
    ['created', isoTime(pos.createdAt, merchant.timeZone)],
    ['changed', isoTime(pos.updatedAt, merchant.timeZone)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(16)}${value}`)
}
