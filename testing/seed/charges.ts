import { sql } from '../../kit/runtime/sql.ts'
import { chargeOperations, sandboxCharges } from '../../sandbox/bank/store.ts'
import { availableAt, ledgerTransfers, postingsOfPayment } from '../../server/ledger/index.ts'
import { attempts, newReference } from '../../server/payments/records/attempt.ts'
import { bankCalls } from '../../server/payments/records/bank-call.ts'
import { payments } from '../../server/payments/records/payment.ts'
import { shownTransaction } from '../../server/payments/records/transaction.ts'
import { inquiryLimits, verifications } from '../../server/payments/records/verification.ts'
import { openSecrets } from '../../server/pos/secrets.ts'
import { sealedPosById } from '../../server/pos/store.ts'
import type { Till } from '../till/till.ts'
import { seedInstrument } from './after-outcome.ts'
import { seedUnassignedPositions } from './event-positions.ts'
import { insertRows } from './insert-rows.ts'

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
}

const amountMinor = 10_000
const commissionMinor = 179
const card = '419000******0705'

/** The ids of one charge. */
interface ChargeIds {
  id: number
  attemptId: number
  callId: number
  eventId: number
  transferIds: number[]
  reference: string
}

/** Charges that are being seeded, all at the same time. */
interface Seeding extends Pick<Till, 'services' | 'merchant'> {
  seed: ChargesSeed
  charges: ChargeIds[]
  at: Date
}

/**
 * Writes the rows into our tables and the bank's, in a fixed number of queries: the tests begin with the paid
 * or held payment. Returns the payment ids.
 */
export async function seedCharges(
  { services, merchant }: Pick<Till, 'services' | 'merchant'>,
  seed: ChargesSeed,
): Promise<number[]> {
  const { ids, random, clock } = services
  const charges = await Promise.all(
    Array.from({ length: seed.count }, async () => {
      const [id = 0, attemptId = 0, callId = 0, eventId = 0, ...transferIds] = await ids.nextMany(6)
      return { id, attemptId, callId, eventId, transferIds, reference: newReference(attemptId, random) }
    }),
  )
  const seeding = { services, merchant, seed, charges, at: seed.at ?? clock.now() }
  await seedPaymentsAndAttempts(seeding)
  await seedEvents(seeding)
  if (seed.bankAmountMinor !== undefined) await seedUnverified(seeding)
  if (!seed.preAuth) await seedTransfers(seeding)
  await seedBankRows(seeding)
  return charges.map(({ id }) => id)
}

async function seedPaymentsAndAttempts({ services, merchant, seed, charges, at }: Seeding): Promise<void> {
  const { sql: database } = services
  const { posId, preAuth } = seed
  const owner = { merchantId: merchant.id }
  const answer = { code: '00', message: 'Onaylandı' }
  const paymentRows = charges.map(({ id, attemptId }) => ({
    ...{ ...owner, id, state: preAuth ? ('held' as const) : ('paid' as const), version: 4 },
    ...{ amountMinor, currency: 'TRY', preAuth, customerByPage: false, items: [], metadata: [] },
    ...{ pageKey: Buffer.from('a page key'), startedBy: 'secret' as const, createdAt: at, endedAt: at },
    expiresAt: new Date(at.getTime() + 30 * 60_000),
    ...{ attemptCount: 1, attemptId, eventCount: 1, installmentCount: 1, ...answer, refundedMinor: 0 },
  }))
  const attemptRows = charges.map(({ id, attemptId, reference }) => ({
    ...{
      ...owner,
      id: attemptId,
      paymentId: id,
      number: 1,
      reference,
      state: 'approved' as const,
      version: 3,
    },
    ...{ posId, connector: 'seeded', preAuth, currency: 'TRY', chargedMinor: amountMinor, commissionMinor },
    ...{ commissionId: 1, installment: 1, reason: { among: 'all' as const, by: [] } },
    ...{ instrumentFingerprint: Buffer.from(card), beganAt: at, askedAt: at, endedAt: at },
    ...{ ...answer, bankReferences: {}, tries: 0 },
  }))
  const operation = preAuth ? ('pre_authorize' as const) : ('authorize' as const)
  const callRows = charges.map(({ id, attemptId, callId }) => ({
    ...{ ...owner, id: callId, paymentId: id, attemptId, operation, askedAt: at, answeredAt: at },
    ...{ outcome: 'approved', code: '00' },
  }))
  await seedInstrument(database, { ...owner, mask: card })
  await insertRows(database, payments, paymentRows)
  await insertRows(database, attempts, attemptRows)
  await insertRows(database, bankCalls, callRows)
}

async function seedEvents({
  services: { sql: database },
  merchant,
  seed,
  charges,
  at,
}: Seeding): Promise<void> {
  const { preAuth } = seed
  const terms = {
    amountMinor,
    currency: 'TRY',
    preAuth,
    state: preAuth ? ('held' as const) : ('paid' as const),
  }
  const details = { installmentCount: 1, code: '00', message: 'Onaylandı', metadata: [], viewedAt: null }
  const given = charges.map(({ id, eventId }) => ({
    ...{ id, eventId },
    data: shownTransaction({ id, ...terms, createdAt: at, endedAt: at, ...details }, merchant),
  }))
  const kind = preAuth ? 'payment.pre_authorized' : 'payment.succeeded'
  await database.run(sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
    select ${merchant.id}::bigint, "eventId", id, 1, ${kind}, data, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(given)}::json) as given (id bigint, "eventId" bigint, data jsonb)`)
  await seedUnassignedPositions(database, merchant.id)
}

async function seedTransfers({ services, merchant, charges, at }: Seeding): Promise<void> {
  const taking = { currency: 'TRY', chargedMinor: amountMinor, commissionMinor }
  const when = { createdAt: at, availableAt: availableAt(at, merchant) }
  const rows = charges.flatMap(({ id: paymentId, transferIds }) =>
    postingsOfPayment({ paymentId, ...taking }).map((posting, index) => ({
      ...posting,
      ...when,
      merchantId: merchant.id,
      id: transferIds[index] ?? 0,
    })),
  )
  await insertRows(services.sql, ledgerTransfers, rows)
}

async function seedUnverified({ services, merchant, seed, charges, at }: Seeding): Promise<void> {
  const { sql: database } = services
  const owner = { merchantId: merchant.id, posId: seed.posId }
  const kind = seed.preAuth ? ('hold' as const) : ('charge' as const)
  const rows = charges.map(({ id, attemptId }) => ({
    ...{ ...owner, id: attemptId, paymentId: id, attemptId, kind, amountMinor, currency: 'TRY' },
    ...{ state: 'unverified' as const, version: 1, approvedAt: at, tries: 0 },
    dueAt: new Date(at.getTime() + 60_000),
  }))
  await insertRows(database, verifications, rows)
  const second = new Date(Math.floor(at.getTime() / 1000) * 1000)
  const limit = { ...owner, second, inquiries: 0, failures: 0, pausedUntil: null }
  await database.run(sql`insert into inquiry_limits (${inquiryLimits.names}) values (${inquiryLimits.values(limit)})
    on conflict do nothing`)
}

async function seedBankRows(seeding: Seeding): Promise<void> {
  const { services, seed, charges, at } = seeding
  const amount = seed.bankAmountMinor ?? amountMinor
  const terminal = await terminalOf(seeding, seed.posId)
  const chargeRows = charges.map(({ reference }) => ({
    ...{ terminal, reference, kind: seed.preAuth ? ('pre-authorization' as const) : ('sale' as const) },
    ...{ amount, currency: 'TRY', installments: 1, card, fault: seed.fault, code: '00' as const },
    ...{ authCode: '123456', hostReference: reference.slice(0, 12), askedAt: at, doneAt: at },
  }))
  const kind = seed.preAuth ? ('held' as const) : ('authorized' as const)
  const operationRows = charges.map(({ reference }) => ({ terminal, reference, number: 1, kind, amount, at }))
  await insertRows(services.sql, sandboxCharges, chargeRows)
  await insertRows(services.sql, chargeOperations, operationRows)
}

/** Name of a POS at the bank. */
async function terminalOf({ services, merchant }: Pick<Till, 'services' | 'merchant'>, posId: number) {
  const pos = await sealedPosById(services.sql, merchant.id, posId)
  const secrets = pos && openSecrets(services, pos)
  return secrets?.['terminal'] ?? secrets?.['client_id'] ?? ''
}
