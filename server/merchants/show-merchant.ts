import { command } from '../../kit/command-line/command.ts'
import { integerField, objectSchema } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { settingColumns } from './merchant.ts'
import { allMerchants, merchantById } from './store.ts'

/** Merchant argument of a command. */
export const merchantArgument = objectSchema({
  merchant: integerField('Id of the merchant.', { min: 1, max: Number.MAX_SAFE_INTEGER }),
})

/** Argument of a command that works without it, see `merchantOrDefault`. */
export const merchantOrDefaultArgument = integerField(
  'Id of the merchant. Default: the demo merchant, or the only merchant.',
  { min: 1, max: Number.MAX_SAFE_INTEGER },
)

export const showMerchantCommand = command({
  positionals: ['merchant'],
  input: merchantArgument,
  run: async (services: Services, input, print) => {
    for (const line of merchantTextLines(await requireMerchant(services, input.merchant))) print(line)
  },
})

/** The merchant with this id, or a refusal of the parameter that named it. */
export async function requireMerchant(
  { sql }: Pick<Services, 'sql'>,
  id: number,
  look = merchantById,
): Promise<Merchant> {
  const merchant = await look(sql, id)
  if (merchant) return merchant
  throw invalidParameter('merchant', {
    tr: 'Bu numarayla bir üye iş yeri yok.',
    en: 'There is no merchant with this ID.',
  })
}

/** The named merchant; if none is named, the demo merchant or the only one. Otherwise a refusal. */
export async function merchantOrDefault(
  services: Pick<Services, 'sql'>,
  id: number | undefined,
): Promise<Merchant> {
  if (id !== undefined) return requireMerchant(services, id)
  const all = await allMerchants(services.sql)
  const merchant = all.find(({ madeBy }) => madeBy === 'demo') ?? (all.length === 1 ? all[0] : undefined)
  if (merchant) return merchant
  throw invalidParameter('merchant', {
    tr: 'Birden fazla üye iş yeri var veya hiç yok: hangisi olduğunu belirtin.',
    en: 'There are several merchants or none: specify one.',
  })
}

/** Settings are shown by the names of their options. */
export function merchantTextLines(merchant: Merchant): string[] {
  const settings = settingColumns.filter(({ name }) => name !== 'name')
  const rows: [string, unknown][] = [
    ['id', merchant.id],
    ['name', merchant.name],
    ['mode', merchant.live ? 'live' : 'test'],
    ['state', merchant.state],
    ...settings.map(({ name, column }): [string, unknown] => [column.replaceAll('_', '-'), merchant[name]]),
    ['logo', merchant.logo === null ? null : 'set'],
    ['created', isoTime(merchant.createdAt, merchant.timeZone)],
    ['changed', isoTime(merchant.updatedAt, merchant.timeZone)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(24)}${textOf(value)}`)
}

/** Null and an empty list are settings that are not set. */
function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
  return text || 'none'
}
