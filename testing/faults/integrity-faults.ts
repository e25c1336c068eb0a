import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { checkIntegrity } from '../../server/integrity/check-integrity.ts'
import { posCredentials } from '../../server/pos/pos.ts'
import { insertRates } from '../../server/pos/store.ts'
import type { TestApi } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { runTypedCommand } from '../harness/command-line.ts'
import type { AttemptSeed, PaymentSeed } from '../seed/payment.ts'
import { seedPayment } from '../seed/payment.ts'
import { seed } from '../seed/seed.ts'

/** An approved attempt with the bank's commission. */
export const approvedAttemptSeed = { state: 'approved' as const, chargedMinor: 10_000, commissionMinor: 179 }

/** A separate database for seeded rows, and the command that checks its integrity. */
export async function integrityFixture() {
  const api = await testApi()
  const { services, merchant } = api
  const check = () => runTypedCommand(services, ['ledger', 'check'])
  let isUnchecked = false
  const run = async (query: SqlFragment) => {
    if (!isUnchecked) await dropChecks(services.sql)
    isUnchecked = true
    return services.sql.run(query)
  }
  const seed = (payment: PaymentSeed) => seedPayment(services, merchant, payment)
  return { ...api, check, run, seed }
}

export type IntegrityFixture = Awaited<ReturnType<typeof integrityFixture>>

/** Seeds a fault; returns the id of its payment or merchant. */
export type FaultSeeder = (api: IntegrityFixture) => Promise<number>

export type IntegrityFault = [what: string, how: string, seed: FaultSeeder]

/**
 * Violations found for each fault, all seeded in one database with valid payments. A violation of a valid
 * payment is a false positive.
 */
export async function violationsOf(
  faults: readonly IntegrityFault[],
): Promise<{ violations: string[][]; falsePositives: string[] }> {
  const api = await integrityFixture()
  const right = await seedValidPayments(api)
  const seededIds: number[] = []
  for (const [, , seed] of faults) seededIds.push(await seed(api))
  const { problems } = await checkIntegrity(api.services)
  const of = (id: number) =>
    problems
      .filter(
        ({ isWarning, first }) =>
          !isWarning && first.some((each) => (each.paymentId ?? each.merchantId) === id),
      )
      .map(({ what }) => what)
  return { violations: seededIds.map(of), falsePositives: right.flatMap(of) }
}

const unknownThen = (operation: 'inquiry' | 'manual'): NonNullable<AttemptSeed['calls']> => [
  { operation: 'authorize', outcome: 'unknown' },
  { operation, outcome: 'taken' },
]

/** Seeds valid payments in every state. */
export async function seedValidPayments({
  services,
  merchant,
}: Pick<TestApi, 'services' | 'merchant'>): Promise<number[]> {
  const posId = await services.ids.next()
  const commissionId = await services.ids.next()
  const at = services.clock.now()
  await seed(services.sql, posCredentials, { merchantId: merchant.id, id: posId, name: 'Bonus' })
  const rated = { family: 'bonus', segment: 'personal', installment: 3, rate: 50_000 } as const
  const start = { validFrom: at, revision: 1, createdAt: at }
  await insertRates(services.sql, { merchantId: merchant.id }, [
    { id: commissionId, posId, ...rated, commissionBy: 'customer', ...start },
  ])
  const inInstallments = { chargedMinor: 10_526, commissionMinor: 526, installment: 3, posId, commissionId }
  const ids: number[] = []
  for (const payment of validPayments({ state: 'approved', ...inInstallments }))
    ids.push((await seedPayment(services, merchant, payment)).id)
  return ids
}

/** Number of payments that `seedValidPayments` seeds. */
export const validPaymentCount = validPayments(approvedAttemptSeed).length

function validPayments(inInstallments: AttemptSeed): PaymentSeed[] {
  const [taken, byInstallments] = [{ attempts: [approvedAttemptSeed] }, { attempts: [inInstallments] }]
  return [
    {},
    { state: 'authenticating', attempts: [{ state: 'abandoned' }, { state: 'authenticating' }] },
    { state: 'authorizing', attempts: [{ state: 'authorizing' }] },
    { state: 'reversing', attempts: [{ state: 'declined' }, { state: 'reversing' }] },
    { state: 'paid', attempts: [{ state: 'declined' }, approvedAttemptSeed] },
    { state: 'paid', currency: 'USD', ...taken },
    { state: 'paid', attempts: [{ ...approvedAttemptSeed, commissionMinor: 0 }] },
    { state: 'paid', attempts: [{ state: 'reversed' }, inInstallments] },
    { state: 'held', ...taken },
    {
      state: 'held',
      attempts: [{ ...approvedAttemptSeed, calls: [{ operation: 'inquiry', outcome: 'held' }] }],
    },
    { state: 'paid', attempts: [{ ...approvedAttemptSeed, calls: unknownThen('inquiry') }] },
    { state: 'paid', attempts: [{ ...approvedAttemptSeed, calls: unknownThen('manual') }] },
    { attempts: [{ state: 'reversed', calls: [{ operation: 'authorize', outcome: 'approved' }] }] },
    { state: 'failed', attempts: [{ state: 'declined' }] },
    { state: 'expired' },
    { state: 'expired', attempts: [{ state: 'abandoned' }] },
    { state: 'capturing', ...taken },
    { state: 'releasing', ...taken },
    { state: 'paid', preAuth: true, ...taken },
    { state: 'failed', resolution: 'release', ...taken },
    { state: 'failed', resolution: 'capture', ...taken },
    { state: 'refunded', ...taken },
    { state: 'partly_refunded', preAuth: true, ...byInstallments },
    {
      state: 'refunded',
      ...byInstallments,
      refunds: [1, 3_332, 3_333, 3_334].map((amountMinor) => ({ amountMinor })),
    },
    ...(['under_review', 'approved', 'rejected', 'failed'] as const).map(
      (state): PaymentSeed => ({
        state: 'partly_refunded',
        ...byInstallments,
        refunds: [{ amountMinor: 2_500 }, { amountMinor: 7_500, state }],
      }),
    ),
  ]
}

/** Name of a part of a table on Citus. Its constraints go with those of the table. */
const shardName = '_[0-9]{6}$'

/** Drops the checks and foreign keys: the schema refuses most faults, but a restored schema may not. */
async function dropChecks(database: Sql): Promise<void> {
  const constraints = await database.many<{ table: string; name: string }>(
    sql`select conrelid::regclass::text as table, conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'f')
        and conrelid::regclass::text !~ ${shardName}`,
  )
  for (const { table, name } of constraints)
    await database.run(raw(`alter table ${table} drop constraint ${name}`))
}

export const seedPaidPayment = (api: IntegrityFixture) =>
  api.seed({ state: 'paid', attempts: [approvedAttemptSeed] })

/** Deletes rows of the payment: `what` is a table with a condition. */
export function withoutRows(seed: PaymentSeed, what: SqlFragment): FaultSeeder {
  return async (api) => {
    const { id } = await api.seed(seed)
    await api.run(sql`delete from ${what} and payment_id = ${id}`)
    return id
  }
}

export function withChangedTransfers(change: SqlFragment, currency = 'TRY'): FaultSeeder {
  return async (api) => {
    const { id } = await api.seed({ state: 'paid', currency, attempts: [approvedAttemptSeed] })
    await api.run(
      sql`update ledger_transfers set ${change} where payment_id = ${id} and reason = 'commission'`,
    )
    return id
  }
}

export function withChangedPayment(payment: PaymentSeed, change: SqlFragment): FaultSeeder {
  return async (api) => {
    const { id } = await api.seed(payment)
    await api.run(sql`update payments set ${change} where id = ${id}`)
    return id
  }
}

export function withChangedAttempt(payment: PaymentSeed, change: SqlFragment): FaultSeeder {
  return async (api) => {
    const { id } = await api.seed(payment)
    await api.run(sql`update payment_attempts set ${change} where payment_id = ${id} and number = 1`)
    return id
  }
}

/** Seeds a payment, then changes its first modification. */
export function withChangedModification(payment: PaymentSeed, change: SqlFragment): FaultSeeder {
  return async (api) => {
    const { id, modificationIds } = await api.seed(payment)
    await api.run(sql`update modifications set ${change} where id = ${modificationIds[0]}`)
    return id
  }
}

/** Seeds a payment, then changes its first refund. */
export function withChangedRefund(payment: PaymentSeed, change: SqlFragment): FaultSeeder {
  return async (api) => {
    const { id, refundIds } = await api.seed(payment)
    await api.run(sql`update refunds set ${change} where id = ${refundIds[0]}`)
    return id
  }
}
