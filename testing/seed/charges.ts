import { chargeOperations, sandboxCharges } from '../../sandbox/bank/store.ts'
import { availableAt } from '../../server/ledger/index.ts'
import { newReference } from '../../server/payments/records/attempt.ts'
import { inquiryLimits, verifications } from '../../server/payments/records/verification.ts'
import { openSecrets } from '../../server/pos/secrets.ts'
import { sealedPosById } from '../../server/pos/store.ts'
import type { Till } from '../till/till.ts'
import { secondsAfter } from './defaults.ts'
import type { PaymentRows, PaymentSeed } from './payment.ts'
import { newPaymentRows, outcomeS, seedPaymentRows } from './payment.ts'
import { seed } from './seed.ts'

/** Charges in our records and in the bank's, as if paid with a card of this fault. */
export interface ChargesSeed {
  posId: number
  preAuth: boolean
  /** Name of the card's fault; null without one. */
  fault: string | null
  count: number
  /** Amount that the bank charged without naming it. By default the answers proved the amount. */
  bankAmountMinor?: number
  /** Time of the outcome. Default: now. */
  at?: Date
  /** State and refunds since the outcome. */
  since?: Pick<PaymentSeed, 'state' | 'resolvedAt' | 'refunds'>
}

const card = '419000******0705'

/**
 * Writes the rows into our tables and the bank's, in a fixed number of queries: the tests begin with the paid
 * or held payment. Returns the payment ids.
 */
export async function seedCharges(
  till: Pick<Till, 'services' | 'merchant'>,
  charges: ChargesSeed,
): Promise<number[]> {
  const { services, merchant } = till
  const { posId, preAuth, count, since, at = services.clock.now() } = charges
  const answer = { code: '00', message: 'Onaylandı', bankReferences: {} }
  const times = { beganAt: at, askedAt: at, endedAt: at }
  const all: PaymentRows[] = []
  for (const id of await services.ids.nextMany(count)) {
    const own = { id, reference: newReference(id, services.random), posId, connector: 'seeded', card }
    const rows = await newPaymentRows(services, merchant, {
      ...{ state: preAuth ? 'held' : 'paid', version: 4, createdAt: secondsAfter(at, -outcomeS), ...since },
      attempts: [{ ...own, version: 3, commissionMinor: 179, ...answer, ...times }],
    })
    for (const transfer of rows.ledgerTransfers) transfer.availableAt = availableAt(at, merchant)
    all.push(rows)
  }
  await seedPaymentRows(services.sql, all)
  const charged = all.flatMap(({ attempts }) => attempts)
  if (charges.bankAmountMinor !== undefined) await seedUnverified(till, charged)
  await seedBankRows(till, charges, charged)
  return all.flatMap(({ payments }) => payments.map(({ id }) => id))
}

async function seedUnverified(
  { services: { sql: database } }: Pick<Till, 'services'>,
  charged: PaymentRows['attempts'],
): Promise<void> {
  const rows = charged.map(({ merchantId, id, paymentId, posId, preAuth, beganAt: approvedAt }) => ({
    ...{ merchantId, id, paymentId, attemptId: id, posId, approvedAt },
    kind: preAuth ? ('hold' as const) : ('charge' as const),
  }))
  await seed(database, verifications, rows)
  const limits = charged.map(({ merchantId, posId, beganAt }) => ({
    ...{ merchantId, posId, second: new Date(Math.floor(beganAt.getTime() / 1000) * 1000) },
  }))
  await seed(database, inquiryLimits, limits)
}

async function seedBankRows(
  till: Pick<Till, 'services' | 'merchant'>,
  { posId, preAuth, fault, bankAmountMinor: amount = 10_000 }: ChargesSeed,
  charged: PaymentRows['attempts'],
): Promise<void> {
  const { sql: database } = till.services
  const terminal = await terminalOf(till, posId)
  const kinds = preAuth ? (['pre-authorization', 'held'] as const) : (['sale', 'authorized'] as const)
  const chargeRows = charged.map(({ reference, beganAt: askedAt }) => ({
    ...{ terminal, reference, kind: kinds[0], amount, card, fault, askedAt },
  }))
  await seed(database, sandboxCharges, chargeRows)
  const operationRows = charged.map(({ reference, beganAt: at }) => ({
    ...{ terminal, reference, kind: kinds[1], amount, at },
  }))
  await seed(database, chargeOperations, operationRows)
}

/** Name of a POS at the bank. */
async function terminalOf({ services, merchant }: Pick<Till, 'services' | 'merchant'>, posId: number) {
  const pos = await sealedPosById(services.sql, merchant.id, posId)
  const secrets = pos && openSecrets(services, pos)
  return secrets?.['terminal'] ?? secrets?.['client_id'] ?? ''
}
