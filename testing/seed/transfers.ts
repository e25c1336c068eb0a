import type { LedgerPayment, Posting, Transfer } from '../../server/ledger/index.ts'
import { availableAt, postingsOfPayment, postingsOfRefund } from '../../server/ledger/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { SeedServices } from './payment.ts'
import { postTransfers } from './post-transfers.ts'

type SettledMerchant = Pick<Merchant, 'id' | 'timeZone' | 'settlementDays'>

const usual = { currency: 'TRY', chargedMinor: 10_000, commissionMinor: 179 }

/** Posts the transfers of a paid payment without the payment. Returns the id of the transfer on the balance. */
export async function seedChargeTransfers(
  services: SeedServices,
  merchant: SettledMerchant,
  { id: firstId, ...money }: Partial<LedgerPayment> & { id?: number } = {},
): Promise<{ id: number; paymentId: number }> {
  const taking = { paymentId: money.paymentId ?? (await services.ids.next()), ...usual, ...money }
  const when = availableAt(services.clock.now(), merchant)
  const id = await post(services, merchant, postingsOfPayment(taking), when, firstId)
  return { id, paymentId: taking.paymentId }
}

/** Posts the transfers of a refund. Returns the id of the transfer on the balance. */
export async function seedRefundTransfers(
  services: SeedServices,
  merchant: SettledMerchant,
  money: Partial<LedgerPayment> & { paymentId: number },
): Promise<{ id: number; refundId: number }> {
  const refundId = await services.ids.next()
  const postings = postingsOfRefund({ refundId, ...usual, ...money })
  return { id: await post(services, merchant, postings, 'with its payment'), refundId }
}

async function post(
  { sql: database, ids, clock }: SeedServices,
  { id: merchantId }: SettledMerchant,
  postings: readonly Posting[],
  when: Transfer['availableAt'],
  firstId?: number,
): Promise<number> {
  const [id = 0, ...others] = await ids.nextMany(postings.length)
  const transferIds = [firstId ?? id, ...others]
  const times = { availableAt: when, createdAt: clock.now() }
  const rows = postings.map((posting, index) => ({ ...posting, ...times, id: transferIds[index] ?? 0 }))
  await postTransfers(database, merchantId, rows)
  return transferIds[0] ?? 0
}
