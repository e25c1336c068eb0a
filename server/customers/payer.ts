import type { Phone } from '../../kit/text/phone.ts'
import { newResourceRecord, withNotedChange } from '../resources/index.ts'
import type { Services } from '../services.ts'
import { customerResource, noAddress } from './customer.ts'
import type { CustomerChange } from './store.ts'

/** The payer's details as typed on the payment page. */
export interface Payer {
  name: string
  lastname: string
  email: string
  phone: Phone
  country: string
}

/**
 * Creates a customer for a payer, or corrects the one created earlier on the same page, unless the merchant
 * has deleted it. Returns the change to write; undefined if nothing changes. Guarantees: nothing is written
 * yet, and typed details never identify an earlier customer.
 */
export async function customerOfPayer(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { merchantId, customerId }: { merchantId: number; customerId: number | null },
  payer: Payer,
): Promise<{ id: number; change: CustomerChange | undefined }> {
  const before =
    customerId === null ? undefined : await customerResource.store.byId(sql, merchantId, customerId)
  const now = clock.now()
  const { name, lastname, email, phone, country } = payer
  const typed = { name, lastname, email, phone: phone.e164, country }
  if (before) {
    const after = withNotedChange(before, { ...before, ...typed }, now)
    return { id: before.id, change: after === before ? undefined : { before, after } }
  }
  const blank = newResourceRecord(merchantId, await ids.next(), now)
  const after = { ...blank, ...noAddress, createdViaPayment: true, ...typed }
  return { id: after.id, change: { after } }
}
