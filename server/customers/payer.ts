import { isDeepStrictEqual } from 'node:util'
import { withTimelineChange } from '../../kit/api/timeline.ts'
import type { Phone } from '../../kit/text/phone.ts'
import type { Services } from '../services.ts'
import type { Customer } from './customer.ts'
import { customerSearchVector } from './customer.ts'
import type { CustomerChange } from './store.ts'
import { customerById } from './store.ts'

/** The payer's details as typed on the payment page. */
export interface Payer {
  name: string
  lastname: string
  email: string
  phone: Phone
  country: string
}

/** The customer of a payer, and the change to write; undefined if nothing changes. */
export interface PayersCustomer {
  id: number
  change: CustomerChange | undefined
}

/**
 * Creates a customer for a payer, or corrects the one created earlier on the same page, unless the merchant
 * has deleted it. Guarantees: nothing is written yet, and typed details never identify an earlier customer.
 */
export async function customerOfPayer(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { merchantId, customerId }: { merchantId: number; customerId: number | null },
  payer: Payer,
): Promise<PayersCustomer> {
  const before = customerId === null ? undefined : await customerById(sql, merchantId, customerId)
  const now = clock.now()
  const after = before ? corrected(before, payer, now) : newCustomer(merchantId, await ids.next(), payer, now)
  if (after === before) return { id: before.id, change: undefined }
  const words = customerSearchVector(after, payer.phone)
  return { id: after.id, change: { ...(before && { before }), after, words } }
}

function corrected(before: Customer, { name, lastname, email, phone, country }: Payer, now: Date): Customer {
  const after = { ...before, name, lastname, email, phone: phone.e164, country }
  if (isDeepStrictEqual(after, before)) return before
  return { ...after, changes: withTimelineChange(before.changes, now), updatedAt: now }
}

function newCustomer(merchantId: number, id: number, payer: Payer, now: Date): Customer {
  const { name, lastname, email, phone, country } = payer
  return {
    merchantId,
    id,
    name,
    lastname,
    email,
    phone: phone.e164,
    country,
    city: null,
    district: null,
    address: null,
    zipCode: null,
    createdViaPayment: true,
    metadata: [],
    changes: [],
    createdAt: now,
    updatedAt: now,
  }
}
