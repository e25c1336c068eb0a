import { command } from '../../kit/command-line/command.ts'
import { integerField, objectSchema } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
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

/** The merchant if none is named: the demo merchant, or the only one. */
async function impliedMerchant(sql: Services['sql']): Promise<Merchant | undefined> {
  const all = await allMerchants(sql)
  return all.find(({ madeBy }) => madeBy === 'demo') ?? (all.length === 1 ? all[0] : undefined)
}

/** The named merchant, or the default if none is named; a refusal if there is no clear default. */
export async function merchantOrDefault(
  services: Pick<Services, 'sql'>,
  id: number | undefined,
): Promise<Merchant> {
  const merchant =
    id === undefined ? await impliedMerchant(services.sql) : await requireMerchant(services, id)
  if (merchant) return merchant
  throw invalidParameter('merchant', {
    tr: 'Birden fazla üye iş yeri var veya hiç yok: hangisi olduğunu belirtin.',
    en: 'There are several merchants or none: specify one.',
  })
}

export function merchantTextLines(merchant: Merchant): string[] {
  const rows: [string, string | number | boolean][] = [
    ['id', merchant.id],
    ['name', merchant.name],
    ['mode', merchant.live ? 'live' : 'test'],
    ['state', merchant.state],
    ['language', merchant.language],
    ['country', merchant.country],
    ['time-zone', merchant.timeZone],
    ['currency', merchant.currency],
    ['page-lifetime-minutes', merchant.pageLifetimeMinutes],
    ['white-label', merchant.whiteLabel],
    ['products-required', merchant.productsRequired],
    ['supports-3d', merchant.supports3d],
    ['supports-2d', merchant.supports2d],
    ['supports-installment', merchant.supportsInstallment],
    ['origins', merchant.origins.join(' ') || 'none'],
    ['colour', merchant.colour ?? 'none'],
    ['settlement-days', merchant.settlementDays],
    ['pre-auth-deadline-hours', merchant.preAuthDeadlineHours ?? 'none'],
    ['at-pre-auth-deadline', merchant.atPreAuthDeadline],
    ['created', isoTime(merchant.createdAt, merchant.timeZone)],
    ['changed', isoTime(merchant.updatedAt, merchant.timeZone)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(24)}${value}`)
}
