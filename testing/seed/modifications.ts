import { sql } from '../../kit/runtime/sql.ts'
import type { TestCard } from '../../sandbox/index.ts'
import { cards } from '../../sandbox/index.ts'
import { posOfMerchant } from '../../server/pos/store.ts'
import type { Till } from '../till/till.ts'
import { seedCharges } from './charges.ts'

/**
 * All modifications of a charge: capture or release of a hold, void of today's charge, and full or partial
 * refund of an earlier one.
 */
export const modificationCases = ['capture', 'release', 'undo', 'refund', 'part'] as const

export type ModificationCase = (typeof modificationCases)[number]

const dayMs = 24 * 60 * 60 * 1000

/**
 * Faults of captures, voids and refunds, and null for none. Faults with another amount belong to the
 * verification tests.
 */
export const modificationFaults: readonly (TestCard['fault'] | null)[] = [
  null,
  ...cards
    .flatMap(({ fault }) => (fault?.modificationFault || fault?.name === 'for-good' ? [fault] : []))
    .filter(({ modificationFault }) => !modificationFault?.shortMinor),
]

/** POS ids of the merchant by connector. */
export async function posByConnector({ services, merchant }: Till): Promise<Map<string, number>> {
  const pos = await posOfMerchant(services.sql, merchant.id)
  return new Map(pos.map(({ connector, id }) => [connector, id]))
}

/** Seeds charges with a due modification, refunds as if the rules had approved them; returns the payment ids. */
export async function seedDueModifications(
  till: Till,
  modificationCase: ModificationCase,
  charge: { posId: number; fault: string | null; count: number },
): Promise<number[]> {
  const now = till.clock.now()
  if (modificationCase === 'capture' || modificationCase === 'release') {
    const state = modificationCase === 'capture' ? 'capturing' : 'releasing'
    return seedCharges(till, { ...charge, preAuth: true, since: { state, resolvedAt: now } })
  }
  const at = modificationCase === 'undo' ? now : new Date(now.getTime() - 2 * dayMs)
  const amountMinor = modificationCase === 'part' ? 3_333 : 10_000
  const approval = { state: 'approved', policy: 'automatic', decidedBy: 'rules', decidedAt: now } as const
  const refunds = [{ amountMinor, requestedAt: now, ...approval }]
  return seedCharges(till, { ...charge, preAuth: false, at, since: { refunds } })
}

/** Modification ids of these payments, in order. */
export async function modificationIdsOf(
  { services }: Pick<Till, 'services'>,
  paymentIds: readonly number[],
): Promise<number[]> {
  const rows = await services.sql.many<{ id: number; paymentId: number }>(
    sql`select id, payment_id as "paymentId" from modifications where payment_id = any(${paymentIds}::bigint[])`,
  )
  const byPayment = new Map(rows.map(({ id, paymentId }) => [paymentId, id]))
  return paymentIds.map((paymentId) => byPayment.get(paymentId) ?? 0)
}
