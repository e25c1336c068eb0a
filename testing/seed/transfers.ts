import { sql } from '../../kit/runtime/sql.ts'
import type { Transfer } from '../../server/ledger/index.ts'
import { availableAt, postingsOfPayment, postingsOfRefund, transfersPart } from '../../server/ledger/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'

type SeedServices = Pick<Services, 'sql' | 'ids' | 'clock'>
type SettledMerchant = Pick<Merchant, 'id' | 'timeZone' | 'settlementDays'>

/** An amount and the bank's commission on it. */
interface Money {
  /** Id of the transfer on the balance. */
  id?: number
  paymentId?: number
  currency?: string
  chargedMinor?: number
  commissionMinor?: number
}

/**
 * Posts the transfers of a paid payment without the payment. Returns the id of the transfer on the balance.
 */
export async function seedChargeTransfers(
  services: SeedServices,
  merchant: SettledMerchant,
  money: Money = {},
) {
  const taking = { paymentId: money.paymentId ?? (await services.ids.next()), ...amountsOf(money) }
  const createdAt = services.clock.now()
  const when = { availableAt: availableAt(createdAt, merchant), createdAt }
  const id = await post(services, merchant, postingsOfPayment(taking), when, money.id)
  return { id, paymentId: taking.paymentId }
}

/** Posts the transfers of a refund. Returns the id of the transfer on the balance. */
export async function seedRefundTransfers(
  services: SeedServices,
  merchant: SettledMerchant,
  money: Money & { paymentId: number },
) {
  const refundId = await services.ids.next()
  const given = { paymentId: money.paymentId, refundId, ...amountsOf(money) }
  const id = await post(services, merchant, postingsOfRefund(given), {
    availableAt: 'with its payment',
    createdAt: services.clock.now(),
  })
  return { id, refundId }
}

function amountsOf({ currency = 'TRY', chargedMinor = 10_000, commissionMinor = 179 }: Money) {
  return { currency, chargedMinor, commissionMinor }
}

async function post(
  { sql: database, ids }: SeedServices,
  { id: merchantId }: SettledMerchant,
  postings: ReturnType<typeof postingsOfPayment>,
  when: Pick<Transfer, 'availableAt' | 'createdAt'>,
  firstId?: number,
): Promise<number> {
  const [id = 0, ...others] = await ids.nextMany(postings.length)
  const transferIds = [firstId ?? id, ...others]
  const rows = postings.map((posting, index) => ({ ...posting, ...when, id: transferIds[index] ?? 0 }))
  await database.run(
    sql`with transition as (select ${merchantId}::bigint as merchant_id) ${transfersPart(rows)}`,
  )
  return transferIds[0] ?? 0
}
