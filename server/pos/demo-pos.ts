import type { ScaledPercentage } from '../../kit/money/percentage.ts'
import type { FamilySlug } from '../bins/index.ts'
import { connectorByName } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { addPos } from './add-pos.ts'
import type { Bearer } from './commission.ts'
import { setRates } from './set-rates.ts'
import { posOfMerchant } from './store.ts'

/** POS of the sandbox bank, as a contract with such a bank could be. */
interface DemoPos {
  name: string
  connector: string
  bank: number
  family: FamilySlug
  priority: number
  /** Commissions for personal cards by number of installments, in ten-thousandths of a percent. */
  rates: Readonly<Record<number, ScaledPercentage>>
  /** Bearer of the commission from two installments on. */
  by: Bearer
}

export const demoPoses: readonly DemoPos[] = [
  {
    name: 'Deneme Bonus POS',
    connector: 'sandbox',
    bank: 62,
    family: 'bonus',
    priority: 1,
    rates: { 1: 17_900, 2: 32_900, 3: 42_900, 6: 74_900, 9: 106_900, 12: 138_900 },
    by: 'merchant',
  },
  {
    name: 'Deneme World POS',
    connector: 'sandbox-nestpay',
    bank: 67,
    family: 'world',
    priority: 2,
    rates: { 1: 18_500, 2: 33_900, 3: 44_500, 6: 77_500, 9: 109_500, 12: 142_500 },
    by: 'customer',
  },
]

/** Extra commission for commercial cards, and for cards of other banks. */
const commercialExtra: ScaledPercentage = 3_000
const otherBanksExtra: ScaledPercentage = 4_000

/**
 * Gives a test merchant two POS at the sandbox bank, one for each way of payer authentication. A merchant
 * with any POS keeps its own.
 */
export async function ensureDemoPos(
  services: Services,
  merchant: Merchant,
  poses: readonly DemoPos[] = demoPoses,
): Promise<void> {
  await services.sql.transaction(async (sql) => {
    if ((await posOfMerchant(sql, merchant.id)).length > 0) return
    for (const demo of poses) await addDemo({ ...services, sql }, merchant, demo)
  })
}

async function addDemo(services: Services, merchant: Merchant, demo: DemoPos): Promise<void> {
  const { name, connector, bank, family, priority, rates, by } = demo
  const otherBanksRate = (rates[1] ?? 0) + otherBanksExtra
  const secrets = connectorByName(connector)?.issueSecrets?.(services.random) ?? {}
  const pos = await addPos(
    services,
    merchant,
    {
      name,
      bank,
      connector,
      currencies: ['TRY', 'USD', 'EUR'],
      families: [family],
      priority,
      single_rate: otherBanksRate,
      commercial_single_rate: otherBanksRate + commercialExtra,
    },
    { secrets },
  )
  for (const segment of ['personal', 'commercial'] as const) {
    const extra = segment === 'commercial' ? commercialExtra : 0
    const all = Object.entries(rates).map(([count, rate]) => ({
      installment: Number(count),
      rate: rate + extra,
    }))
    const shared = { pos: pos.id, family, segment }
    const [single, several] = [all.slice(0, 1), all.slice(1)]
    await setRates(services, merchant, { ...shared, rate: single, by: 'merchant' })
    await setRates(services, merchant, { ...shared, rate: several, by })
  }
}
