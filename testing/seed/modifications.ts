import { sql } from '../../kit/runtime/sql.ts'
import type { TestCard } from '../../sandbox/index.ts'
import { cards } from '../../sandbox/index.ts'
import { refundShareOf } from '../../server/ledger/index.ts'
import { posOfMerchant } from '../../server/pos/store.ts'
import type { Refund } from '../../server/refunds/refund.ts'
import { shownRefund } from '../../server/refunds/refund.ts'
import type { Till } from '../till/till.ts'
import { seedInstrument } from './after-outcome.ts'
import { seedCharges } from './charges.ts'
import { seedUnassignedPositions } from './event-positions.ts'

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

/** Seeds charges with a due modification; returns the payment ids. */
export async function seedDueModifications(
  till: Till,
  modificationCase: ModificationCase,
  charge: { posId: number; fault: string | null; count: number },
): Promise<number[]> {
  const isHold = modificationCase === 'capture' || modificationCase === 'release'
  const now = till.clock.now()
  const at = new Date(
    modificationCase === 'refund' || modificationCase === 'part' ? now.getTime() - 2 * dayMs : now.getTime(),
  )
  const ids = await seedCharges(till, { ...charge, preAuth: isHold, at })
  await (isHold ? beginResolving(till, modificationCase, ids) : beginRefunding(till, modificationCase, ids))
  return ids
}

async function beginResolving(
  { services, merchant, clock }: Till,
  resolution: 'capture' | 'release',
  ids: number[],
): Promise<void> {
  await services.sql.run(sql`update payments set state = ${resolution === 'capture' ? 'capturing' : 'releasing'}, resolution = ${resolution}, resolved_by = 'a test',
    resolved_at = ${clock.now()}, version = version + 1 where merchant_id = ${merchant.id} and id = any(${ids}::bigint[])`)
  await seedModificationRows({ services, clock }, resolution, ids)
}

/** Seeds refunds as if the merchant had requested them and the rules had approved them. */
async function beginRefunding(till: Till, modificationCase: ModificationCase, ids: number[]): Promise<void> {
  const { services, merchant, clock } = till
  const amountMinor = modificationCase === 'part' ? 3_333 : 10_000
  const { commissionMinor } = refundShareOf(
    { amountMinor: 10_000, chargedMinor: 10_000, commissionMinor: 179 },
    0,
    amountMinor,
  )
  const now = clock.now()
  const refundIds = await services.ids.nextMany(ids.length)
  const eventIds = await services.ids.nextMany(ids.length)
  const refundOf = (index: number): Refund => ({
    ...{
      merchantId: merchant.id,
      id: refundIds[index] ?? 0,
      paymentId: ids[index] ?? 0,
      state: 'under_review',
    },
    ...{ amountMinor, currency: 'TRY', chargedMinor: amountMinor, commissionMinor, description: 'Deneme' },
    ...{
      requestedBy: 'a test',
      requestedAt: now,
      policy: 'automatic',
      dueAt: null,
      violations: [],
      decidedBy: null,
    },
    ...{ decidedAt: null, reason: null, endedAt: null, code: null, message: null },
    ...{ nextBankCallAt: null, declineReason: null },
  })
  const shown = ids.map((_, index) => JSON.stringify(shownRefund(refundOf(index), merchant)))
  const given = sql`unnest(${ids}::bigint[], ${refundIds}::bigint[], ${eventIds}::bigint[], ${shown}::text[])
    as given (id, refund_id, event_id, shown)`
  await seedInstrument(services.sql, { merchantId: merchant.id, mask: 'a card' })
  await services.sql.run(sql`insert into refunds (merchant_id, id, payment_id, state, amount, currency, charged, commission,
      description, instrument_fingerprint, requested_by, requested_at, policy, violations, decided_by, decided_at, reason)
    select ${merchant.id}::bigint, given.refund_id, given.id, 'approved', ${amountMinor}::bigint, 'TRY', ${amountMinor}::bigint,
      ${commissionMinor}::bigint, 'Deneme', 'a card', 'a test', ${now}::timestamptz, 'automatic', '[]', 'rules',
      ${now}::timestamptz, 'a test' from ${given}`)
  await services.sql.run(sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
    select e.merchant_id, given.event_id, e.payment_id, 2, 'refund.created',
      e.data || jsonb_build_object('refund', given.shown::jsonb), ${now}::timestamptz
    from ${given} join events e on e.merchant_id = ${merchant.id} and e.payment_id = given.id and e.number = 1`)
  await seedUnassignedPositions(services.sql, merchant.id)
  await services.sql.run(sql`update payments p set refund_id = given.refund_id, event_count = 2, version = version + 2
    from ${given} where p.merchant_id = ${merchant.id} and p.id = given.id`)
  await seedModificationRows(till, 'refund', ids, amountMinor)
}

async function seedModificationRows(
  { services, clock }: Pick<Till, 'services' | 'clock'>,
  kind: string,
  ids: number[],
  amountMinor = 10_000,
): Promise<void> {
  const now = clock.now()
  const modificationIds = await services.ids.nextMany(ids.length)
  await services.sql.run(sql`insert into modifications (merchant_id, id, payment_id, attempt_id, pos_id, kind, refund_id, amount,
      prior_refunded, state, version, began_at, due_at, tries)
    select p.merchant_id, given.modification_id, p.id, p.attempt_id, a.pos_id, ${kind}, p.refund_id, ${amountMinor}::bigint, 0, 'doing',
      1, ${now}::timestamptz, ${now}::timestamptz, 0
    from unnest(${ids}::bigint[], ${modificationIds}::bigint[]) as given (id, modification_id)
      join payments p on p.id = given.id
      join payment_attempts a on a.merchant_id = p.merchant_id and a.id = p.attempt_id`)
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
